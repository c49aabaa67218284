package dev.semel.store.cassandra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.core.store.StoreTraits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is in the table: looked at, and put there, without the store. */
@ExtendWith(SharedServer.class)
class CassandraRowsTest {
    private static final Duration SKEW = Duration.ofSeconds(10);
    private static String url;
    private static CassandraKeyStore store;
    private static RawTable table;

    @BeforeAll
    static void open() {
        url = SharedServer.freshUrl();
        store = CassandraKeyStore.open(url, SharedServer.PATIENT.withSkew(SKEW));
        table = RawTable.of(url);
    }

    @AfterAll
    static void close() {
        table.close();
        store.close();
    }

    @Test
    void a_claim_stays_until_it_is_changed_and_its_bytes_are_where_they_belong() {
        KeyRecord held = Keys.insert(store, "claim");
        Row row = table.row("revision, record, ttl(revision), ttl(record), outcome", "claim");
        assertEquals(held.revision(), row.getLong("revision"));
        assertTrue(row.isNull(2) && row.isNull(3) && row.isNull(4), "nothing of a claim expires");
        ByteBuffer record = row.getByteBuffer("record");
        assertEquals(1, record.get(0), "format");
        assertEquals(2, record.get(1), "held");
        assertEquals(held.token(), record.getLong(3));
        assertEquals(1, record.getInt(11));
        String text = StandardCharsets.ISO_8859_1.decode(record.duplicate()).toString();
        for (String part : List.of("tenant", "POST /v1/charges", "claim", "holder of claim"))
            assertTrue(text.contains(part), part);
    }

    @Test
    void an_outcome_expires_before_its_tombstone_and_both_after_the_slowest_clock_may_say_so() {
        KeyRecord held = Keys.insert(store, "done");
        long began = System.nanoTime();
        Keys.replace(store, held, Keys.done("body", Duration.ofMinutes(10), Duration.ofMinutes(30)));
        Row row = table.row("ttl(outcome), ttl(record), ttl(revision), outcome, writetime(record)", "done");
        long passed = Duration.ofNanos(System.nanoTime() - began).toSeconds() + 1;
        within(Duration.ofMinutes(10), row.getInt(0), passed);
        within(Duration.ofMinutes(40), row.getInt(1), passed);
        within(Duration.ofMinutes(40), row.getInt(2), passed);
        byte[] outcome = new byte[5];
        row.getByteBuffer("outcome").get(outcome);
        assertEquals("body", new String(outcome, 1, 4, StandardCharsets.UTF_8));
    }

    /** By the clocks of client, coordinator and replica: twice the skew, a second for each rounding, and the test's own time. */
    private static void within(Duration kept, int seconds, long passed) {
        long least = kept.plus(SKEW.multipliedBy(2)).toSeconds();
        assertTrue(seconds >= least - passed && seconds <= least + 2, seconds + " s for " + kept);
    }

    @Test
    void what_is_claimed_again_does_not_expire_any_more() {
        KeyRecord free = Keys.replace(store, Keys.insert(store, "again"), new Next.Free(Keys.HOUR));
        assertTrue(table.row("ttl(record)", "again").getInt(0) > 0);
        Change claim = new Change(free.fingerprint(), free.token() + 1, 2, new Next.Held("h", Keys.HOUR, null));
        store.replace(free, claim);
        Row row = table.row("ttl(revision), ttl(record)", "again");
        assertTrue(row.isNull(0) && row.isNull(1), "a hold must never expire by itself");
    }

    @Test
    void a_doubt_does_not_expire() {
        Keys.replace(store, Keys.insert(store, "doubt"), new Next.InDoubt("?"));
        assertTrue(table.row("ttl(record)", "doubt").isNull(0));
    }

    @Test
    void the_server_forgets_by_itself_first_the_outcome_then_the_key() {
        String own = SharedServer.freshUrl();
        try (CassandraKeyStore quick = CassandraKeyStore.open(own, SharedServer.PATIENT);
                RawTable raw = RawTable.of(own)) {
            Duration second = Duration.ofSeconds(1);
            Keys.replace(quick, Keys.insert(quick, "k"), Keys.done("x", second, second.multipliedBy(3)));
            KeyRecord free = Keys.replace(quick, Keys.insert(quick, "free"), new Next.Free(second));
            await(() -> raw.row("outcome", "k").isNull(0));
            Seen spent = Objects.requireNonNull(quick.find(Keys.id("k")));
            assertInstanceOf(KeyState.Spent.class, spent.record().state());
            assertInstanceOf(Inserted.Existing.class, quick.insert(Keys.claim("k")));
            await(() -> raw.row("revision", "k") == null && raw.row("revision", "free") == null);
            assertNull(quick.find(Keys.id("k")));
            KeyRecord anew = Keys.insert(quick, "free");
            assertTrue(anew.token() > free.token());
            Keys.insert(quick, "k");
        }
    }

    private static void await(BooleanSupplier event) {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!event.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "waited in vain");
            LockSupport.parkNanos(50_000_000);
        }
    }

    /** A server that refuses a time to live would refuse the outcome with it. */
    @Test
    void what_is_kept_for_longer_than_the_server_can_expire_it_is_kept_until_it_is_swept() {
        for (int years : new int[] {1, 15, 21, 300}) {
            Duration kept = Duration.ofDays(365L * years);
            Keys.replace(store, Keys.insert(store, "years " + years), Keys.done("x", kept, kept));
            Row row = table.row("ttl(outcome)", "years " + years);
            assertEquals(years > 10, row.isNull(0), years + " years");
        }
    }

    @Test
    void outcomes_come_back_up_to_the_limit_and_larger_ones_are_refused_without_effect() {
        int limit = (int) store.traits().largestOutcome();
        KeyRecord held = Keys.insert(store, "large");
        StoreException refused =
                assertThrows(StoreException.class, () -> store.replace(held, Change.of(held, Keys.done(limit))));
        assertEquals(Applied.NO, refused.applied());
        assertEquals(held, store.find(held.id()).record());
        Next.Done largest = Keys.done(limit - 1);
        Keys.replace(store, held, largest);
        Outcome kept = ((KeyState.Done) store.find(held.id()).record().state()).outcome();
        assertArrayEquals(largest.outcome().encoded(), kept.encoded());
    }

    @Test
    void what_the_server_survives_is_told_as_it_is() {
        assertEquals(StoreTraits.Survives.NOTHING, store.traits().survives());
        assertEquals(SKEW, store.traits().skew());
        assertEquals(StoreTraits.Forgetting.SERVER, store.traits().forgetting());
        assertTrue(store.traits().lists() && !store.traits().counts());
    }

    @Test
    void two_keys_with_equal_digests_do_not_share_a_record() {
        Keys.insert(store, "first");
        Row row = table.row("revision, record", "first");
        table.rows(
                "insert into semel_key (id, revision, record) values (?, ?, ?) if not exists",
                RawTable.id("second"),
                row.getLong(0),
                row.getByteBuffer(1));
        assertThrows(IllegalStateException.class, () -> store.insert(Keys.claim("second")));
        assertThrows(IllegalStateException.class, () -> store.find(Keys.id("second")));
    }

    @Test
    void a_record_that_cannot_be_read_fails_its_own_caller_and_the_sweep_names_it() {
        String own = SharedServer.freshUrl();
        try (CassandraKeyStore damaged = CassandraKeyStore.open(own, SharedServer.PATIENT);
                RawTable raw = RawTable.of(own)) {
            for (int i = 0; i < 4; i++) Keys.insert(damaged, "k" + i);
            overwrite(raw, "k1", new byte[] {99, 1, 2, 3});
            overwrite(raw, "k2", Arrays.copyOf(bytes(raw, "k2"), 40));
            for (String key : List.of("k1", "k2")) {
                StoreException refused = assertThrows(StoreException.class, () -> damaged.insert(Keys.claim(key)), key);
                assertEquals(Applied.NO, refused.applied());
            }
            Swept swept = damaged.sweep(100);
            assertEquals(
                    List.of(hex("k1"), hex("k2")).stream().sorted().toList(),
                    swept.unreadable().stream().sorted().toList());
            assertEquals(4, raw.rows("select id from semel_key").size());
            Listing all = new Listing(null, EnumSet.allOf(KeyState.Kind.class), 100, null);
            assertEquals(2, damaged.list(all).lines().size());
            assertEquals(
                    2,
                    damaged.findAll(List.of(Keys.id("k0"), Keys.id("k1"), Keys.id("k3")))
                            .size());
            assertNotNull(damaged.find(Keys.id("k3")));
        }
    }

    private static void overwrite(RawTable raw, String key, byte[] bytes) {
        raw.rows(
                "update semel_key set record = ? where id = ? if revision != 0",
                ByteBuffer.wrap(bytes),
                RawTable.id(key));
    }

    private static byte[] bytes(RawTable raw, String key) {
        ByteBuffer record = raw.row("record", key).getByteBuffer(0);
        byte[] bytes = new byte[record.remaining()];
        record.get(bytes);
        return bytes;
    }

    private static String hex(String key) {
        return HexFormat.of().formatHex(Keys.id(key).digest());
    }
}
