package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.testkit.redis.RedisServer;
import dev.semel.testkit.server.FreePort;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server that says no: what it says, whether anything was written, and what it says of itself at the start. */
@Timeout(60)
class RedisRefusalsTest {
    private static Folder folder;
    private static RedisServer server;
    private static RedisKeyStore store;

    @BeforeAll
    static void open() {
        folder = Folder.inTarget();
        server = RedisServer.start(folder.path());
        store = RedisKeyStore.open(server.url());
    }

    @AfterAll
    static void close() {
        store.close();
        server.close();
        folder.close();
    }

    @Test
    void without_memory_it_refuses_writes_and_still_answers_what_it_knows() {
        KeyRecord held = Keys.insert(store, Keys.id("held"));
        KeyRecord done = Keys.put(store, "done", Keys.done("x"));
        server.call("CONFIG", "SET", "maxmemory", "1");
        try {
            assertRefused("OOM", () -> store.insert(Keys.claim(Keys.id("new"))));
            assertRefused("OOM", () -> store.replace(held, Change.of(held, Keys.done("x"))));
            assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim(done.id())));
            assertEquals(held, store.find(held.id()).record());
        } finally {
            server.call("CONFIG", "SET", "maxmemory", "0");
        }
        assertNull(store.find(Keys.id("new")), "what was refused has not happened");
        Keys.replace(store, held, Keys.done("x"));
    }

    @Test
    void a_master_that_becomes_a_replica_refuses_writes_until_it_is_one_again() {
        server.call("REPLICAOF", "127.0.0.1", "1");
        try {
            assertRefused("READONLY", () -> store.insert(Keys.claim(Keys.id("read-only"))));
            StoreException refused = assertThrows(StoreException.class, () -> RedisKeyStore.open(server.url()));
            assertTrue(refused.getMessage().contains("is a replica"), refused.getMessage());
        } finally {
            server.call("REPLICAOF", "NO", "ONE");
        }
        Keys.insert(store, Keys.id("read-only"));
    }

    @Test
    void with_too_few_replicas_it_refuses_writes() {
        server.call("CONFIG", "SET", "min-replicas-to-write", "1");
        try {
            assertRefused("NOREPLICAS", () -> store.insert(Keys.claim(Keys.id("alone"))));
        } finally {
            server.call("CONFIG", "SET", "min-replicas-to-write", "0");
        }
        assertNull(store.find(Keys.id("alone")));
    }

    private static void assertRefused(String code, Executable call) {
        StoreException refused = assertThrows(StoreException.class, call);
        assertTrue(refused.getMessage().contains(code), refused.getMessage());
        assertTrue(refused.getMessage().contains("Nothing was written"), refused.getMessage());
        assertEquals(Applied.NO, refused.applied());
    }

    @Test
    void who_is_not_let_in_is_told_so_without_the_password() {
        server.call(
                "ACL", "SETUSER", "semel", "on", ">secret", "~semel:*", "&semel:*", "+@all", "-@admin", "-@dangerous");
        String url = "redis://semel:wrong-secret@127.0.0.1:" + server.port();
        StoreException refused = assertThrows(StoreException.class, () -> RedisKeyStore.open(url));
        assertTrue(refused.getMessage().contains("WRONGPASS"), refused.getMessage());
        assertFalse(refused.getMessage().contains("secret"), refused.getMessage());
    }

    @Test
    void a_user_who_may_not_ask_for_settings_is_told_to_assume_the_worst() {
        server.call("ACL", "SETUSER", "plain", "on", ">p", "~semel:*", "&semel:*", "+@all", "-@admin", "-@dangerous");
        try (RedisKeyStore plain = RedisKeyStore.open("redis://plain:p@127.0.0.1:" + server.port())) {
            assertEquals(Survives.NOTHING, plain.traits().survives());
            assertTrue(
                    plain.durability().explanation().contains("does not tell"),
                    plain.durability().explanation());
            Keys.insert(plain, Keys.id("plain"));
        }
    }

    @Test
    void the_rights_that_the_docs_name_are_enough() {
        String rights =
                "+@read +@write +@scripting +@connection +@pubsub +cluster +time +info +wait +script +config|get";
        String[] user =
                ("ACL SETUSER narrow on >p resetkeys resetchannels ~semel:* &semel:* -@all " + rights).split(" ");
        server.call(user);
        server.call("ACL", "LOG", "RESET");
        try (RedisKeyStore narrow = RedisKeyStore.open("redis://narrow:p@127.0.0.1:" + server.port())) {
            assertEquals(Survives.POWER_LOSS, narrow.traits().survives());
            KeyRecord done = Keys.put(narrow, "narrow", Keys.done("x"));
            assertEquals(done, narrow.find(done.id()).record());
            while (!narrow.index().sweep(1000).finished()) {}
            assertFalse(narrow.now().isBefore(done.since()));
        }
        assertEquals(List.of(), server.call("ACL", "LOG"), "something was forbidden");
    }

    @Test
    void a_user_without_a_right_to_the_channels_can_write_and_only_news_is_missing() {
        server.call("ACL", "SETUSER", "mute", "on", ">p", "~semel:*", "resetchannels", "+@all");
        try (RedisKeyStore mute = RedisKeyStore.open("redis://mute:p@127.0.0.1:" + server.port())) {
            KeyRecord done = Keys.put(mute, "mute", Keys.done("x"));
            assertEquals(done, mute.find(done.id()).record());
        }
    }

    @Test
    void a_server_that_is_not_there_is_told_at_once() throws Exception {
        int nobody = FreePort.pick();
        StoreException refused =
                assertThrows(StoreException.class, () -> RedisKeyStore.open("redis://u:secret@127.0.0.1:" + nobody));
        assertTrue(refused.getMessage().contains("127.0.0.1:" + nobody), refused.getMessage());
        assertFalse(refused.getMessage().contains("secret"), refused.getMessage());
        assertEquals(Applied.NO, refused.applied());
    }

    @Test
    void a_record_that_cannot_be_read_is_the_trouble_of_its_own_key() {
        KeyId newer = Keys.insert(store, Keys.id("newer")).id();
        KeyId damaged = Keys.insert(store, Keys.id("damaged")).id();
        KeyId strange = Keys.id("strange");
        server.call("SETRANGE", Keys.name("semel:", newer), "0", "\u0002");
        String bytes = (String) server.call("GETRANGE", Keys.name("semel:", damaged), "0", "24");
        server.call("SET", Keys.name("semel:", damaged), bytes.replaceAll("[^\\x00-\\x7f]", "?"));
        server.call("LPUSH", Keys.name("semel:", strange), "x");
        for (KeyId id : new KeyId[] {newer, damaged, strange})
            assertEquals(
                    Applied.NO,
                    assertThrows(StoreException.class, () -> store.insert(Keys.claim(id)))
                            .applied());
        KeyRecord fine = Keys.insert(store, Keys.id("fine"));
        var unreadable = new HashSet<String>();
        KeyIndex.Swept step;
        do {
            step = store.index().sweep(10);
            unreadable.addAll(step.unreadable());
        } while (!step.finished());
        assertEquals(3, unreadable.size(), unreadable.toString());
        assertEquals(fine, store.find(fine.id()).record());
        for (KeyId id : new KeyId[] {newer, damaged, strange})
            assertEquals(1L, server.call("EXISTS", Keys.name("semel:", id)), "the sweep leaves it");
    }

    @ParameterizedTest
    @CsvSource({
        "appendonly, no, NOTHING, appendonly",
        "appendfsync, everysec, NOTHING, everysec",
        "maxmemory-policy, allkeys-lru, NOTHING, allkeys-lru",
        "no-appendfsync-on-rewrite, yes, PROCESS_DEATH, rewritten",
        "timeout, 0, POWER_LOSS, survive a loss of power",
    })
    void what_is_promised_follows_the_settings(String setting, String value, Survives survives, String words) {
        String before = String.valueOf(((List<?>) server.call("CONFIG", "GET", setting)).get(1));
        server.call("CONFIG", "SET", setting, value);
        try (RedisKeyStore opened = RedisKeyStore.open(server.url() + "?accept-loss=true")) {
            assertEquals(survives, opened.traits().survives());
            assertTrue(
                    opened.durability().explanation().contains(words),
                    opened.durability().explanation());
            assertTrue(opened.durability().lossAccepted());
        } finally {
            server.call("CONFIG", "SET", setting, before);
        }
    }

    @Test
    void settings_that_become_weaker_while_the_store_is_open_are_told_once_by_the_sweep() {
        server.call("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
        try {
            StoreException told = assertThrows(StoreException.class, RedisRefusalsTest::sweepOnce);
            assertTrue(told.getMessage().contains("volatile-lru"), told.getMessage());
            assertDoesNotThrow(RedisRefusalsTest::sweepOnce);
        } finally {
            server.call("CONFIG", "SET", "maxmemory-policy", "noeviction");
        }
        assertDoesNotThrow(RedisRefusalsTest::sweepOnce);
    }

    private static void sweepOnce() {
        while (!store.index().sweep(1000).finished()) {}
    }

    @ParameterizedTest
    @CsvSource({
        "OOM command not allowed when used memory > 'maxmemory'., NO",
        "READONLY You can't write against a read only replica., NO",
        "MISCONF Errors writing to the AOF file, NO",
        "LOADING Redis is loading the dataset in memory, NO",
        "CLUSTERDOWN The cluster is down, NO",
        "TRYAGAIN Multiple keys request during rehashing of slot, NO",
        "BUSY Redis is busy running a script., NO",
        "MASTERDOWN Link with MASTER is down, NO",
        "NOREPLICAS Not enough good replicas to write., NO",
        "ERR proxy: upstream failure, UNKNOWN",
        "UNBLOCKED force unblock from blocking operation, UNKNOWN",
        "whatever, UNKNOWN",
    })
    void what_the_server_said_decides(String said, Applied applied) {
        assertEquals(applied, RedisFailures.applied(new RedisCommandExecutionException(said)));
    }
}
