package dev.semel.torture.messages.check;

import org.jspecify.annotations.Nullable;

/**
 * A message that was committed.
 *
 * @param key null for none
 * @param number its place among those of its key, in the order of their commits; numbers may be left out
 * @param dropped whether an operator has dropped it, so that it must not arrive
 */
public record Committed(String id, @Nullable String key, long number, boolean dropped) {
    /** What the payload of a message begins with. */
    public static String body(@Nullable String key, long number) {
        return (key == null ? "" : key) + "|" + number + "|";
    }
}
