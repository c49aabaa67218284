package dev.semel.bench.store;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.KeyStore.Replaced;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.time.Duration;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * What a store does for one request, with keys that are numbered.
 *
 * @param run stands in every key, so that two runs share none
 */
record KeyOperations(KeyStore store, String run) {
    static final Duration RETENTION = Duration.ofHours(24);
    static final Duration TOMBSTONE = Duration.ofDays(30);
    private static final Duration LEASE = Duration.ofSeconds(30);
    static final Fingerprint FINGERPRINT = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[32]);
    private static final int RANDOM_BYTES = 50;

    static KeyId id(String run, long number) {
        return KeyId.of("", "POST /v1/charges", run + "-" + Long.toHexString(number));
    }

    /** A first request: a claim, and the outcome that ends it. */
    void claimAndComplete(long number) {
        complete(claim(number), number);
    }

    KeyRecord claim(long number) {
        return switch (insert(number)) {
            case Inserted.Fresh fresh -> fresh.record();
            case Inserted.Busy it -> throw new IllegalStateException("Someone joined the key.");
            case Inserted.Existing it -> throw new IllegalStateException("The key was there already: " + it);
        };
    }

    void complete(KeyRecord held, long number) {
        Outcome outcome = Outcome.of(outcome(number));
        Replaced replaced = store.replace(held, Change.of(held, new Next.Done(outcome, RETENTION, TOMBSTONE)));
        if (!(replaced instanceof Replaced.Swapped)) throw new IllegalStateException("The key has moved on.");
    }

    /** A retry of a request that was answered: the claim that finds the outcome. */
    void replay(long number) {
        if (insert(number) instanceof Inserted.Fresh fresh)
            throw new IllegalStateException("The key was not there: " + fresh);
    }

    private Inserted insert(long number) {
        return store.insert(new NewKey(id(run, number), FINGERPRINT, "bench-" + number, LEASE));
    }

    /** About 300 bytes, a third of which is different in every one: ids compress badly, the rest of an answer well. */
    static byte[] outcome(long number) {
        byte[] random = new byte[RANDOM_BYTES];
        new SplittableRandom(number).nextBytes(random);
        String body = """
            \u0001 200 content-type: application/json\r
            {"id":"%s","object":"charge","amount":1999,"currency":"eur","customer":"cus_7f3a9b21",\
            "status":"succeeded","captured":true,"receipt":"https://pay.example/receipts"}\
            """.formatted(HexFormat.of().formatHex(random));
        return body.getBytes(US_ASCII);
    }
}
