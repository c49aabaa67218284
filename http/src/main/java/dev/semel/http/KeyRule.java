package dev.semel.http;

import dev.semel.http.key.KeyAge;
import dev.semel.http.key.KeySyntax;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What counts as the key of a request.
 *
 * @param syntax what it must look like beyond what every key does; null for nothing more
 * @param age how old a key that carries its time may be; null for any age
 */
public record KeyRule(
        KeySource source,
        @Nullable KeySyntax syntax,
        @Nullable KeyAge age) {
    public static final KeyRule DEFAULT = new KeyRule(KeySource.DEFAULT, null, null);

    /** The key that a request is handled under, or the answer that it gets instead. */
    sealed interface Decision {
        record Key(String key) implements Decision {}

        record None() implements Decision {}

        record Refused(HttpResponse answer) implements Decision {}
    }

    /** @throws IllegalStateException when the source needs the body */
    Decision ofHead(Headers headers, Instant now) {
        return decide(source.ofHead(headers), now);
    }

    Decision of(HttpRequest request, Instant now) {
        return decide(source.of(request), now);
    }

    private Decision decide(KeyReading reading, Instant now) {
        return switch (reading) {
            case KeyReading.Absent it -> new Decision.None();
            case KeyReading.Malformed it -> new Decision.Refused(Problem.keyMalformed(it.why()));
            case KeyReading.Present it -> decide(it.key(), now);
        };
    }

    private Decision decide(String key, Instant now) {
        String flaw = syntax == null ? null : syntax.check(key);
        if (flaw != null) return new Decision.Refused(Problem.keyMalformed(flaw));
        String tooOld = age == null ? null : age.check(key, now);
        if (tooOld == null) return new Decision.Key(key);
        boolean future = KeyAge.fromTheFuture(key, now);
        return new Decision.Refused(future ? Problem.keyMalformed(tooOld) : Problem.keyTooOld(tooOld));
    }
}
