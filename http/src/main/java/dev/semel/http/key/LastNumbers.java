package dev.semel.http.key;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers with which number the last key of a counter ended. A counter is a route, a tenant, and what stands in the
 * key before the number. Memory is fixed: counters that fall on one slot push each other out, and then go unnoticed. Safe
 * for use by any thread, without locks; a race loses a number, no more.
 */
final class LastNumbers {
    private static final int SLOTS = 4096;
    private static final int FARTHEST_STEP = 3;

    /** So many digits always fit into a long. */
    private static final int MAX_DIGITS = 18;

    private final AtomicReferenceArray<@Nullable Last> slots = new AtomicReferenceArray<>(SLOTS);

    /** Holds neither tenant nor key, so that neither is found in a dump of the memory. */
    private record Last(long counter, long number) {}

    /** Whether the key ends with a number, and that follows the one before it closely. */
    boolean follows(String route, String tenant, String key) {
        int from = key.length();
        while (from > 0 && key.length() - from < MAX_DIGITS && KeyTraits.isDigit(key.charAt(from - 1))) from--;
        if (from == key.length()) return false;
        long number = Long.parseLong(key, from, key.length(), 10);
        long counter = counter(route, tenant, key, from);
        int slot = (int) (counter >>> 52);
        @Nullable Last last = slots.getAcquire(slot);
        if (last != null && last.counter == counter && last.number == number) return false;
        slots.setRelease(slot, new Last(counter, number));
        long step = last != null && last.counter == counter ? number - last.number : 0;
        return step >= 1 && step <= FARTHEST_STEP;
    }

    private static long counter(String route, String tenant, String key, int end) {
        long hash = 31L * route.hashCode() + tenant.hashCode();
        for (int i = 0; i < end; i++) hash = 1_099_511_628_211L * (hash ^ key.charAt(i));
        // The upper bits choose the slot, so every bit must reach them.
        hash = (hash ^ hash >>> 32) * 0x9E37_79B9_7F4A_7C15L;
        return hash ^ hash >>> 29;
    }
}
