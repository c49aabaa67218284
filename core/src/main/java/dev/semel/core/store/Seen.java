package dev.semel.core.store;

import dev.semel.core.key.KeyRecord;
import java.time.Instant;

/** A record as it stood when the store's clock said {@code now}. What it means at that instant is for the rules to say. */
public record Seen(KeyRecord record, Instant now) {}
