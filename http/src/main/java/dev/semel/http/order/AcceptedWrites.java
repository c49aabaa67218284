package dev.semel.http.order;

import dev.semel.core.key.Outcome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes to one resource that were let through: the last few one by one, so that each can be withdrawn by itself,
 * and one number for all before them. Immutable.
 *
 * @param floor the highest version of those that can no longer be withdrawn
 * @param latest in the order in which they were let through
 */
record AcceptedWrites(long floor, List<Write> latest) {
    /** Lower than every version that can be asked for. */
    static final AcceptedWrites NOTHING = new AcceptedWrites(-1, List.of());

    private static final int MOST_LATEST = 8;

    /** @param id told apart from every other write, also from one with the same version */
    record Write(long id, long version) {}

    /** The version below which a write is stale. */
    long last() {
        return latest.stream().mapToLong(Write::version).reduce(floor, Math::max);
    }

    boolean has(Write write) {
        return latest.contains(write);
    }

    /** One write more. The oldest gives way, and from then on counts as one that ran. */
    AcceptedWrites with(Write write) {
        List<Write> longer = new ArrayList<>(latest);
        long higher = longer.size() < MOST_LATEST
                ? floor
                : Math.max(floor, longer.removeFirst().version());
        longer.add(write);
        return new AcceptedWrites(higher, List.copyOf(longer));
    }

    /** The same without a write that did not run. */
    AcceptedWrites without(Write write) {
        return new AcceptedWrites(
                floor, latest.stream().filter(it -> !it.equals(write)).toList());
    }

    /** As it is recorded. All in the clear: a version is no secret, and must not be forgotten with a key. */
    Outcome outcome() {
        ByteBuffer out = ByteBuffer.allocate(Long.BYTES + latest.size() * 2 * Long.BYTES);
        out.putLong(floor);
        for (Write write : latest) out.putLong(write.id()).putLong(write.version());
        return Outcome.of(Outcome.Format.WRITE_ORDER, out.array(), out.capacity());
    }

    /** @return null when the outcome is anything else */
    static @Nullable AcceptedWrites of(Outcome outcome) {
        ByteBuffer in = ByteBuffer.wrap(outcome.payload());
        boolean whole = in.remaining() >= Long.BYTES && in.remaining() % (2 * Long.BYTES) == Long.BYTES;
        if (outcome.format() != Outcome.Format.WRITE_ORDER || !whole) return null;
        long floor = in.getLong();
        List<Write> latest = new ArrayList<>();
        while (in.hasRemaining()) latest.add(new Write(in.getLong(), in.getLong()));
        return new AcceptedWrites(floor, List.copyOf(latest));
    }
}
