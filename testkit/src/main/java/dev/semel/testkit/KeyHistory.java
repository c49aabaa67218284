package dev.semel.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What concurrent callers of one key asked, and what they were told. It is linearizable when the calls have an order, in
 * which none comes before one that had ended when it began, and in which a key without concurrency gives the same answers.
 */
public final class KeyHistory {
    private static final String UNKNOWN = "unknown";
    private static final int CALLERS = 5;
    private static final int CALLS_EACH = 4;
    private static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});
    private static final Duration HOUR = Duration.ofHours(1);
    private static final AtomicLong HOLDERS = new AtomicLong();

    private final List<Call> calls = new ArrayList<>();

    /**
     * One call.
     *
     * @param version of the record that a replace has seen; 0 for the others
     * @param answer {@code fresh}, {@code existing}, {@code swapped}, {@code moved} or {@code found}, and the version; or
     *     {@code unknown}: it may have happened, at any time after its begin
     */
    public record Call(String what, int version, String answer, long began, long ended) {}

    /**
     * Lets callers of these stores, which share their records as those of several processes do, want the same key, again and
     * again. A quicker look for what {@link LinearizabilityCheck} looks for.
     *
     * @param stores by the clock of that check, or {@link CountedRevisions}
     * @throws AssertionError when some history has no order that explains it; with the seed and the history
     */
    public static void check(List<? extends KeyStore> stores, int rounds) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < rounds; round++) {
            KeyHistory history = of(stores, random, () -> {});
            assertTrue(history.isLinearizable(), () -> "seed " + seed + history);
        }
    }

    /** What callers of these stores are told about one key. */
    public static KeyHistory of(List<? extends KeyStore> stores, Random random, Runnable meanwhile) throws Exception {
        KeyHistory history = new KeyHistory();
        KeyId id = KeyId.of("", "history", UUID.randomUUID().toString());
        List<Random> choices = random.longs(CALLERS).mapToObj(Random::new).toList();
        StoreScene.together(CALLERS + 1, i -> {
            if (i == CALLERS) meanwhile.run();
            else
                for (int call = 0; call < CALLS_EACH; call++)
                    history.call(stores.get(i % stores.size()), id, choices.get(i));
            return i;
        });
        return history;
    }

    private void call(KeyStore store, KeyId id, Random choice) {
        String what = List.of("insert", "replace", "replace", "find").get(choice.nextInt(4));
        int version = what.equals("replace") ? 1 + choice.nextInt(4) : 0;
        long began = System.nanoTime();
        try {
            String answer = answer(store, what, version, id);
            add(new Call(what, version, answer, began, System.nanoTime()));
        } catch (StoreException e) {
            // What did not happen has no place in the history; a look that failed has none either.
            if (e.applied() == Applied.UNKNOWN) add(new Call(what, version, UNKNOWN, began, System.nanoTime()));
        }
    }

    private static String answer(KeyStore store, String what, int version, KeyId id) {
        return switch (what) {
            case "insert" ->
                switch (store.insert(new NewKey(id, FINGERPRINT, "h" + HOLDERS.incrementAndGet(), HOUR))) {
                    case Inserted.Fresh(KeyRecord record) -> "fresh " + version(record);
                    case Inserted.Existing(Seen seen) -> "existing " + version(seen.record());
                    case Inserted.Busy busy -> "busy";
                };
            case "replace" -> {
                KeyState held = new KeyState.Held("h", LinearizabilityCheck.CLOCK.instant());
                KeyRecord seen = new KeyRecord(
                        id,
                        FINGERPRINT,
                        LinearizabilityCheck.FIRST,
                        1,
                        LinearizabilityCheck.FIRST + version - 1,
                        LinearizabilityCheck.CLOCK.instant(),
                        held);
                Next done = new Next.Done(Outcome.of(new byte[10]), HOUR, HOUR);
                yield switch (store.replace(seen, Change.of(seen, done))) {
                    case Replaced.Swapped(KeyRecord record) -> "swapped " + version(record);
                    case Replaced.Moved(Seen now) -> "moved " + (now == null ? 0 : version(now.record()));
                };
            }
            default -> {
                Seen seen = store.find(id);
                yield "found " + (seen == null ? 0 : version(seen.record()));
            }
        };
    }

    private static long version(KeyRecord record) {
        return record.revision() - LinearizabilityCheck.FIRST + 1;
    }

    public synchronized void add(Call call) {
        calls.add(
                call.answer.equals(UNKNOWN)
                        ? new Call(call.what, call.version, UNKNOWN, call.began, Long.MAX_VALUE)
                        : call);
    }

    public synchronized int unknown() {
        return (int) calls.stream().filter(call -> call.answer.equals(UNKNOWN)).count();
    }

    public synchronized boolean isLinearizable() {
        return hasOrder(0, 0, new HashSet<>());
    }

    /** @param done which calls stand in the order already, as bits; with the version after them, all that matters of it */
    private boolean hasOrder(int done, int version, Set<Long> failed) {
        long firstEnd = Long.MAX_VALUE;
        boolean all = true;
        for (int i = 0; i < calls.size(); i++)
            if ((done >> i & 1) == 0) {
                firstEnd = Math.min(firstEnd, calls.get(i).ended);
                all &= calls.get(i).answer.equals(UNKNOWN);
            }
        if (all) return true;
        if (!failed.add((long) done << 32 | version)) return false;
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            if ((done >> i & 1) == 1 || call.began > firstEnd) continue;
            int next = after(call, version);
            boolean fits = call.answer.equals(UNKNOWN) || call.answer.equals(answer(call, version));
            if (fits && hasOrder(done | 1 << i, next, failed)) return true;
        }
        return false;
    }

    private static int after(Call call, int version) {
        return switch (call.what) {
            case "insert" -> version == 0 ? 1 : version;
            case "replace" -> version == call.version ? version + 1 : version;
            default -> version;
        };
    }

    private static String answer(Call call, int version) {
        return switch (call.what) {
            case "insert" -> version == 0 ? "fresh 1" : "existing " + version;
            case "replace" -> version == call.version ? "swapped " + (version + 1) : "moved " + version;
            default -> "found " + version;
        };
    }

    @Override
    public synchronized String toString() {
        StringBuilder text = new StringBuilder();
        for (Call call : calls)
            text.append('\n')
                    .append(call.began)
                    .append("..")
                    .append(call.ended == Long.MAX_VALUE ? "?" : call.ended)
                    .append(' ')
                    .append(call.what)
                    .append(call.version == 0 ? "" : " " + call.version)
                    .append(" -> ")
                    .append(call.answer);
        return text.toString();
    }
}
