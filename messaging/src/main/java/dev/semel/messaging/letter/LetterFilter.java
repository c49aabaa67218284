package dev.semel.messaging.letter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which dead letters are meant; what is null is not asked.
 *
 * @param kind the word for what went wrong
 * @param error a part of what the broker said
 */
public record LetterFilter(
        @Nullable String topic,
        @Nullable String key,
        @Nullable String type,
        @Nullable String kind,
        @Nullable String error,
        @Nullable Instant parkedAfter,
        @Nullable Instant parkedBefore) {
    public static final LetterFilter ALL = new LetterFilter(null, null, null, null, null, null, null);

    public LetterFilter withTopic(String topic) {
        return new LetterFilter(topic, key, type, kind, error, parkedAfter, parkedBefore);
    }

    public LetterFilter withKey(String key) {
        return new LetterFilter(topic, key, type, kind, error, parkedAfter, parkedBefore);
    }

    public LetterFilter withType(String type) {
        return new LetterFilter(topic, key, type, kind, error, parkedAfter, parkedBefore);
    }

    public LetterFilter withKind(String kind) {
        return new LetterFilter(topic, key, type, kind, error, parkedAfter, parkedBefore);
    }

    public LetterFilter withError(String part) {
        return new LetterFilter(topic, key, type, kind, part, parkedAfter, parkedBefore);
    }

    public LetterFilter withParked(@Nullable Instant after, @Nullable Instant before) {
        return new LetterFilter(topic, key, type, kind, error, after, before);
    }
}
