package dev.semel.core.claim;

import dev.semel.core.key.KeyRecord;
import org.jspecify.annotations.Nullable;

/** What became of a resolution. */
public sealed interface ResolveAnswer {

    record Accepted(KeyRecord record) implements ResolveAnswer {}

    /** The key is not in doubt (nor held, where that was asked), or not with that token; nothing was written. Null when there is no such key. */
    record Refused(@Nullable KeyRecord current) implements ResolveAnswer {}
}
