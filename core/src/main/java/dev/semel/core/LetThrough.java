package dev.semel.core;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writes to one resource that were let through: the last few one by one, so that each can be withdrawn by itself,
 * and one number for all before them. Immutable; its bytes are what {@link WriteOrder} records.
 *
 * @param floor the highest version of those that can no longer be withdrawn
 * @param latest in the order in which they were let through
 */
record LetThrough(long floor, List<Write> latest) {
    /** Lower than every version that can be asked for. */
    static final LetThrough NOTHING = new LetThrough(-1, List.of());

    private static final int MOST_LATEST = 8;
    private static final byte ONE_VERSION = 1;
    private static final byte FORMAT = 2;

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
    LetThrough with(Write write) {
        List<Write> longer = new ArrayList<>(latest);
        long higher = longer.size() < MOST_LATEST
                ? floor
                : Math.max(floor, longer.removeFirst().version());
        longer.add(write);
        return new LetThrough(higher, List.copyOf(longer));
    }

    /** The same without a write that did not run. */
    LetThrough without(Write write) {
        return new LetThrough(
                floor, latest.stream().filter(it -> !it.equals(write)).toList());
    }

    byte[] bytes() {
        ByteBuffer out = ByteBuffer.allocate(1 + Long.BYTES + latest.size() * 2 * Long.BYTES);
        out.put(FORMAT).putLong(floor);
        for (Write write : latest) out.putLong(write.id()).putLong(write.version());
        return out.array();
    }

    /** @return null when these bytes are anything else */
    static @Nullable LetThrough ofBytes(byte[] bytes) {
        if (bytes.length < 1 + Long.BYTES) return null;
        ByteBuffer in = ByteBuffer.wrap(bytes);
        byte format = in.get();
        LetThrough floor = new LetThrough(in.getLong(), List.of());
        if (format == ONE_VERSION) return in.hasRemaining() ? null : floor;
        if (format != FORMAT || in.remaining() % (2 * Long.BYTES) != 0) return null;
        List<Write> latest = new ArrayList<>();
        while (in.hasRemaining()) latest.add(new Write(in.getLong(), in.getLong()));
        return new LetThrough(floor.floor(), List.copyOf(latest));
    }
}
