package dev.semel.store.redis;

import dev.semel.core.store.StoreException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a {@link Script} gave back. */
record Answer(List<@Nullable Object> parts) {
    long micros() {
        if (!parts.isEmpty() && parts.getFirst() instanceof byte[] time && time.length == Long.BYTES)
            return RecordCursor.int64(time, 0);
        throw StoreException.unknown(
                "Redis answered what none of the scripts answers: " + parts.size() + " parts.", null);
    }

    Instant now() {
        return RecordCodec.instant(micros());
    }

    boolean isWritten() {
        return parts.size() == 2 && parts.get(1) instanceof Long;
    }

    /** Whether this answer of a script means that it has changed something. */
    boolean hasWritten(Script script) {
        return script == Script.INSERT ? parts.size() == 1 : isWritten();
    }

    boolean hasFound() {
        return parts.size() > 1 && parts.get(1) instanceof byte[];
    }

    byte[] found() {
        return Objects.requireNonNull((byte[]) parts.get(1));
    }

    byte @Nullable [] outcome() {
        return parts.size() > 2 ? (byte[]) parts.get(2) : null;
    }
}
