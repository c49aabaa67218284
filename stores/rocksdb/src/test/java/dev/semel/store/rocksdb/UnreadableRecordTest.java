package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.Sample.id;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyIndex.Swept;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Next;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import dev.semel.testkit.HandClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One record that cannot be read is the trouble of its own key, and of nobody else. */
class UnreadableRecordTest {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    Path dir;

    private final HandClock clock = new HandClock(Instant.parse("2026-01-01T00:00:00Z"));

    /** Ten keys are free and soon forgotten, ten are held; of each ten, two are damaged, each in its own way. */
    @BeforeEach
    void damage() throws Exception {
        try (RocksKeyStore store = open()) {
            for (int i = 0; i < 10; i++) {
                var held = Sample.insert(store, "freed " + i);
                Sample.swap(store, held, Change.of(held, new Next.Free(HOUR)));
                Sample.insert(store, "held " + i);
            }
        }
        for (String kind : List.of("freed", "held")) {
            overwrite(kind + " 3", new byte[] {99, 1, 2, 3});
            byte[] whole = RawStore.entries(dir).get(id(kind + " 7").digest());
            overwrite(kind + " 7", Arrays.copyOf(whole, RecordHead.BYTES + 4));
        }
        clock.advance(HOUR.plusSeconds(1));
    }

    private RocksKeyStore open() {
        return RocksKeyStore.open(dir, Durability.OS, clock);
    }

    private void overwrite(String key, byte[] bytes) throws Exception {
        RawStore.put(dir, id(key).digest(), bytes);
    }

    @Test
    void the_sweep_passes_over_it_names_it_and_leaves_it() throws Exception {
        try (RocksKeyStore store = open()) {
            Swept purged = store.sweep(1000);
            assertTrue(purged.finished());
            assertEquals(8, purged.removed());
            assertEquals(8, purged.due().size());
            assertEquals(
                    Set.of(hex("freed 3"), hex("freed 7"), hex("held 3"), hex("held 7")),
                    Set.copyOf(purged.unreadable()));
            assertThrows(StoreException.class, () -> store.find(id("freed 3")));
        }
        assertEquals(12, RawStore.entries(dir).size());
    }

    @Test
    void a_listing_and_a_count_pass_over_it() {
        try (RocksKeyStore store = open()) {
            Set<String> listed = new TreeSet<>();
            String after = null;
            do {
                Listing.Page page = store.list(new Listing(null, EnumSet.allOf(Kind.class), 3, after));
                page.lines().forEach(line -> listed.add(line.id().key()));
                after = page.next();
            } while (after != null);
            assertEquals(8, listed.size(), listed.toString());
            assertTrue(store.count("tenant", 100) >= 16);
        }
    }

    @Test
    void a_claim_of_its_key_is_refused() {
        try (RocksKeyStore store = open()) {
            store.sweep(1000);
            for (String key : List.of("freed 3", "freed 7", "held 3", "held 7")) {
                StoreException refused = assertThrows(StoreException.class, () -> store.insert(Sample.claim(key)), key);
                assertEquals(Applied.NO, refused.applied());
            }
        }
    }

    private static String hex(String key) {
        return HexFormat.of().formatHex(id(key).digest());
    }
}
