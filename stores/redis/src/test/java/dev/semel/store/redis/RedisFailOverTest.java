package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.testkit.redis.RedisServer;
import dev.semel.testkit.redis.RedisWithSentinels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A master and a replica under Sentinel. What is shown here is why no promise is made where a replica may take over. */
@Timeout(120)
class RedisFailOverTest {
    private static final int LARGE = 4 << 20;

    @Test
    void a_fail_over_loses_what_the_replica_has_not_got_yet_as_the_store_has_said() {
        try (Folder folder = Folder.inTarget();
                RedisWithSentinels servers = RedisWithSentinels.start(folder.path());
                RedisKeyStore store = RedisKeyStore.open(servers.url())) {
            assertEquals(Survives.NOTHING, store.traits().survives());
            assertTrue(store.durability().explanation().contains("asynchronous"));
            KeyId early = Keys.insert(store, Keys.id("early")).id();
            awaitCopyOf(early, servers.replica());

            servers.replica().pause();
            // More than the sockets between the two take up: what follows stays in the memory of the master.
            for (int i = 0; i < 8; i++) Keys.put(store, "large " + i, Keys.done("x".repeat(LARGE)));
            List<KeyId> acknowledged = new ArrayList<>();
            for (int i = 0; i < 100; i++)
                acknowledged.add(Keys.insert(store, Keys.id("late " + i)).id());
            servers.master().kill9();
            servers.replica().resume();

            long began = System.nanoTime();
            int found = awaitAnswers(store, acknowledged);
            System.out.println("under Sentinel the store answered again after "
                    + Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms; "
                    + (acknowledged.size() - found) + " of " + acknowledged.size() + " acknowledged claims are lost");
            assertTrue(found < acknowledged.size(), "the loss that is warned of");
            assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim(early)), "what was copied is kept");
            assertInstanceOf(Inserted.Fresh.class, store.insert(Keys.claim(acknowledged.getLast())), "it runs again");
        }
    }

    private static void awaitCopyOf(KeyId id, RedisServer replica) {
        while (!Long.valueOf(1).equals(replica.call("EXISTS", Keys.name("semel:", id))))
            LockSupport.parkNanos(1_000_000);
    }

    /** Of a master that has taken over. */
    private static int awaitAnswers(RedisKeyStore store, List<KeyId> ids) {
        while (true) {
            try {
                Keys.put(store, "writable " + System.nanoTime(), Keys.done("x"));
                return store.findAll(ids).size();
            } catch (StoreException e) {
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    @Test
    void a_write_that_waits_for_a_replica_is_of_unknown_fate_when_it_does_not_confirm() {
        try (Folder folder = Folder.inTarget();
                RedisServer master =
                        RedisServer.start(folder.path().resolve("master"), "--repl-diskless-sync-delay", "0");
                RedisServer replica = RedisServer.start(
                        folder.path().resolve("replica"), "--replicaof", "127.0.0.1 " + master.port());
                RedisKeyStore store = RedisKeyStore.open(master.url() + "?wait=1")) {
            while (!String.valueOf(replica.call("INFO", "replication")).contains("master_link_status:up"))
                LockSupport.parkNanos(5_000_000);
            KeyId copied = Keys.put(store, "copied", Keys.done("x")).id();
            assertEquals(1L, replica.call("EXISTS", Keys.name("semel:", copied)), "acknowledged, so it is there");
            replica.pause();
            try {
                KeyId alone = Keys.id("alone");
                StoreException lost = assertThrows(StoreException.class, () -> store.insert(Keys.claim(alone)));
                assertEquals(Applied.UNKNOWN, lost.applied());
                assertTrue(lost.getMessage().contains("0 of 1 replicas"), lost.getMessage());
                assertInstanceOf(Inserted.Existing.class, store.insert(Keys.claim(alone)), "the master has it");
            } finally {
                replica.resume();
            }
        }
    }
}
