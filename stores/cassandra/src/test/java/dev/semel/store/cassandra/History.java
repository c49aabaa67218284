package dev.semel.store.cassandra;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What concurrent callers of one key asked, and what they were told. It is linearizable when the calls have an order, in
 * which none comes before one that had ended when it began, and in which a key without concurrency gives the same answers.
 */
final class History {
    private static final String UNKNOWN = "unknown";

    private final List<Call> calls = new ArrayList<>();

    /**
     * One call.
     *
     * @param version of the record that a replace has seen; 0 for the others
     * @param answer {@code fresh}, {@code existing}, {@code swapped}, {@code moved} or {@code found}, and the version; or
     *     {@code unknown}: it may have happened, at any time after its begin
     */
    record Call(String what, int version, String answer, long began, long ended) {}

    synchronized void add(Call call) {
        calls.add(
                call.answer.equals(UNKNOWN)
                        ? new Call(call.what, call.version, UNKNOWN, call.began, Long.MAX_VALUE)
                        : call);
    }

    synchronized int unknown() {
        return (int) calls.stream().filter(call -> call.answer.equals(UNKNOWN)).count();
    }

    synchronized boolean isLinearizable() {
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
