package dev.semel.torture.check;

import dev.semel.torture.history.KeyHistory;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What must hold of every key.
 *
 * @param sentence the law in words, and its name
 * @param concerns of which keys it says something
 */
record Law(String sentence, Predicate<KeyHistory> concerns, Judge judge) {

    @FunctionalInterface
    interface Judge {
        /** How the key breaks the law, by its first breach; null when it keeps it. */
        @Nullable
        Finding breach(KeyHistory key);
    }
}
