package dev.semel.testkit;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Every history of concurrent calls has an order in which a store without concurrency gives the same answers. */
@Isolated("Lincheck changes classes while it looks at them")
class InMemoryLinearizabilityTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private static final long FIRST = NewKey.firstToken(CLOCK.instant());
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});

    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        new StressOptions()
                .threads(3)
                .actorsPerThread(3)
                .iterations(25)
                .invocationsPerIteration(500)
                .sequentialSpecification(OneByOne.class)
                .check(InMemory.class);
    }

    /** An answer is the version of the record that was made or found. */
    @Param(name = "key", gen = IntGen.class, conf = "0:1")
    @Param(name = "version", gen = IntGen.class, conf = "1:3")
    public static class InMemory {
        private final KeyStore store = new InMemoryKeyStore(CLOCK);

        @Operation
        public String insert(@Param(name = "key") int key) {
            return switch (store.insert(new NewKey(id(key), ASKED, "h", Duration.ofHours(1)))) {
                case Inserted.Fresh(KeyRecord record) -> "fresh " + version(record);
                case Inserted.Existing(Seen seen) -> "existing " + version(seen.record());
            };
        }

        @Operation
        public String replace(@Param(name = "key") int key, @Param(name = "version") int version) {
            KeyState held = new KeyState.Held("h", CLOCK.instant());
            KeyRecord seen = new KeyRecord(id(key), ASKED, FIRST, 1, FIRST + version - 1, CLOCK.instant(), held);
            return switch (store.replace(seen, Change.of(seen, new Next.InDoubt("?")))) {
                case Replaced.Swapped(KeyRecord record) -> "swapped " + version(record);
                case Replaced.Moved(Seen now) -> "moved " + (now == null ? 0 : version(now.record()));
            };
        }

        @Operation
        public String find(@Param(name = "key") int key) {
            Seen seen = store.find(id(key));
            return "found " + (seen == null ? 0 : version(seen.record()));
        }

        private static KeyId id(int key) {
            return KeyId.of("", "op", "k" + key);
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
