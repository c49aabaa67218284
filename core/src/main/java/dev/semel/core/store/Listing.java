package dev.semel.core.store;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A question for many keys, answered page by page in an order that stays the same while nothing changes.
 *
 * @param tenant only this tenant's keys; null for every tenant
 * @param kinds only keys that count as one of these now
 * @param limit at most so many lines, 1 to 1,000
 * @param after where the page before ended; null for the first page
 */
public record Listing(
        @Nullable String tenant,
        Set<KeyState.Kind> kinds,
        int limit,
        @Nullable String after) {

    public Listing {
        if (limit < 1 || limit > 1000)
            throw new IllegalArgumentException("A page has 1 to 1000 lines, not " + limit + ".");
        kinds = Set.copyOf(kinds);
    }

    /** One key without its outcome. */
    public record Line(KeyId id, KeyState.Kind kind, long token, int attempt, Instant since) {}

    /** @param next what to ask with as {@code after} for the next page; null when this was the last */
    public record Page(List<Line> lines, @Nullable String next) {}
}
