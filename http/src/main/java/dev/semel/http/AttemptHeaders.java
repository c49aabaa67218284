package dev.semel.http;

/**
 * The request headers that tell an upstream which attempt of which key it is asked to run: {@code Idempotency-Key},
 * {@code Semel-Fencing-Token} and {@code Semel-Attempt}. The only place that writes them, for every way a request is sent
 * on.
 */
public final class AttemptHeaders {
    static final String FENCING_TOKEN = "Semel-Fencing-Token";
    static final String ATTEMPT = "Semel-Attempt";

    private AttemptHeaders() {}

    /**
     * The headers of a request to the upstream, with those of its attempt. A key from the {@code Idempotency-Key} header
     * goes on as the client sent it. A key from elsewhere replaces that header. A request without a key stays as it is.
     *
     * @param onward the headers that are sent on, without those that only Semel may write
     * @param source where the key of the request comes from
     */
    public static Headers add(Headers onward, KeySource source, Attempt attempt) {
        if (!attempt.hasKey()) return onward;
        return withKey(onward, source, attempt.key())
                .with(FENCING_TOKEN, Long.toString(attempt.token()))
                .with(ATTEMPT, Integer.toString(attempt.number()));
    }

    private static Headers withKey(Headers onward, KeySource source, String key) {
        if (source.equals(KeySource.DEFAULT)) return onward;
        return onward.without(name -> name.equalsIgnoreCase(IdempotencyKey.HEADER))
                .with(IdempotencyKey.HEADER, key);
    }
}
