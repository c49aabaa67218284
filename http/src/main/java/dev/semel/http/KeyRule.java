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

    /** What a request says of its key, or the answer that it gets instead. */
    sealed interface Judged {
        record Key(String key) implements Judged {}

        record None() implements Judged {}

        record Refused(HttpResponse answer) implements Judged {}
    }

    /** @throws IllegalStateException when the source needs the body */
    Judged ofHead(Headers headers, Instant now) {
        return judge(source.ofHead(headers), now);
    }

    Judged of(HttpRequest request, Instant now) {
        return judge(source.of(request), now);
    }

    private Judged judge(KeyReading reading, Instant now) {
        return switch (reading) {
            case KeyReading.Absent it -> new Judged.None();
            case KeyReading.Malformed it -> new Judged.Refused(Problem.keyMalformed(it.why()));
            case KeyReading.Present it -> judge(it.key(), now);
        };
    }

    private Judged judge(String key, Instant now) {
        String flaw = syntax == null ? null : syntax.check(key);
        if (flaw != null) return new Judged.Refused(Problem.keyMalformed(flaw));
        String tooOld = age == null ? null : age.check(key, now);
        if (tooOld == null) return new Judged.Key(key);
        boolean future = KeyAge.fromTheFuture(key, now);
        return new Judged.Refused(future ? Problem.keyMalformed(tooOld) : Problem.keyTooOld(tooOld));
    }
}
