package dev.semel.testkit;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Checks that every history of concurrent calls has an order in which a store without concurrency gives the same answers.
 * A store's test extends this with a public class that has a constructor without arguments, and passes it to
 * {@link #run}. Needs Lincheck on the class path of the test.
 *
 * <p>Each instance has two keys of its own in the store. An answer is the version of the record that was made or found.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
@Param(name = "version", gen = IntGen.class, conf = "1:3")
public abstract class LinearizabilityCheck {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** The clock that the store must use. */
    public static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

    /** The token of every key that is made by that clock. */
    static final long FIRST = NewKey.firstToken(NOW);

    private static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Duration HOUR = Duration.ofHours(1);

    /** No two claims have the same name: by it a store may tell which of them was first. */
    private static final AtomicLong HOLDERS = new AtomicLong();

    private final String operation = UUID.randomUUID().toString();
    private final KeyStore store;

    protected LinearizabilityCheck(KeyStore store) {
        this.store = store;
    }

    /** @throws AssertionError when some history has no such order */
    public static void run(Class<? extends LinearizabilityCheck> onStore, int invocationsPerIteration) {
        new StressOptions()
                .threads(3)
                .actorsPerThread(3)
                .iterations(25)
                .invocationsPerIteration(invocationsPerIteration)
                .sequentialSpecification(SequentialStore.class)
                .check(onStore);
    }

    @Operation
    public String insert(@Param(name = "key") int key) {
        return switch (store.insert(new NewKey(id(key), FINGERPRINT, "h" + HOLDERS.incrementAndGet(), HOUR))) {
            case Inserted.Fresh(KeyRecord record) -> "fresh " + version(record);
            case Inserted.Existing(Seen seen) -> "existing " + version(seen.record());
            case Inserted.Busy it -> "busy";
        };
    }

    /** Some outcomes are large: a store may keep these elsewhere. */
    @Operation
    public String replace(@Param(name = "key") int key, @Param(name = "version") int version) {
        KeyState held = new KeyState.Held("h", CLOCK.instant());
        KeyRecord seen = new KeyRecord(id(key), FINGERPRINT, FIRST, 1, FIRST + version - 1, CLOCK.instant(), held);
        Outcome outcome = Outcome.of(new byte[version == 2 ? 5_000 : 10]);
        return switch (store.replace(seen, Change.of(seen, new Next.Done(outcome, HOUR, HOUR)))) {
            case Replaced.Swapped(KeyRecord record) -> "swapped " + version(record);
            case Replaced.Moved(Seen now) -> "moved " + (now == null ? 0 : version(now.record()));
        };
    }

    @Operation
    public String find(@Param(name = "key") int key) {
        Seen seen = store.find(id(key));
        return "found " + (seen == null ? 0 : version(seen.record()));
    }

    private KeyId id(int key) {
        return KeyId.of("", operation, "k" + key);
    }

    private static long version(KeyRecord record) {
        return record.revision() - FIRST + 1;
    }

    /** What the answers are when nothing is concurrent. */
    public static class SequentialStore {
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
