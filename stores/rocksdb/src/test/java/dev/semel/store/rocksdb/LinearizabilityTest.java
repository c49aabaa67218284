package dev.semel.store.rocksdb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Every history of concurrent calls has an order in which a store without concurrency gives the same answers. */
@Isolated("Lincheck changes classes while it looks at them")
class LinearizabilityTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private static final long FIRST = NewKey.firstToken(CLOCK.instant());

    private static Path dir;
    private static RocksKeyStore store;

    @BeforeAll
    static void open() throws IOException {
        dir = Files.createTempDirectory("linearizability");
        store = RocksKeyStore.open(dir, Durability.OS, CLOCK);
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        Folders.delete(dir);
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        new StressOptions()
                .threads(3)
                .actorsPerThread(3)
                .iterations(25)
                .invocationsPerIteration(200)
                .sequentialSpecification(OneByOne.class)
                .check(OnRocks.class);
    }

    /** Each instance has two keys of its own in the shared store. An answer is the version that was made or found. */
    @Param(name = "key", gen = IntGen.class, conf = "0:1")
    @Param(name = "version", gen = IntGen.class, conf = "1:3")
    public static class OnRocks {
        private static final AtomicLong INSTANCES = new AtomicLong();

        private final String name = "instance " + INSTANCES.incrementAndGet() + " key ";

        @Operation
        public String insert(@Param(name = "key") int key) {
            return switch (store.insert(Sample.claim(name + key))) {
                case Inserted.Fresh(KeyRecord record) -> "fresh " + version(record);
                case Inserted.Existing(Seen seen) -> "existing " + version(seen.record());
            };
        }

        @Operation
        public String replace(@Param(name = "key") int key, @Param(name = "version") int version) {
            KeyId id = Sample.id(name + key);
            KeyRecord seen =
                    new KeyRecord(id, Sample.FINGERPRINT, FIRST, 1, FIRST + version - 1, CLOCK.instant(), null);
            int size = version == 2 ? 5_000 : 10;
            return switch (store.replace(seen, Sample.done(seen, Sample.outcome(size, new Random(version))))) {
                case Replaced.Swapped(KeyRecord record) -> "swapped " + version(record);
                case Replaced.Moved(Seen now) -> "moved " + (now == null ? 0 : version(now.record()));
            };
        }

        @Operation
        public String find(@Param(name = "key") int key) {
            Seen seen = store.find(Sample.id(name + key));
            return "found " + (seen == null ? 0 : version(seen.record()));
        }

        private static long version(KeyRecord record) {
            return record.revision() - FIRST + 1;
        }
    }

    /** What the answers mean when nothing is concurrent. */
    public static class OneByOne {
        private final int[] versions = new int[2];

        public String insert(int key) {
            return versions[key] == 0 ? "fresh " + (versions[key] = 1) : "existing " + versions[key];
        }

        public String replace(int key, int version) {
            return versions[key] == version ? "swapped " + ++versions[key] : "moved " + versions[key];
        }

        public String find(int key) {
            return "found " + versions[key];
        }
    }
}
