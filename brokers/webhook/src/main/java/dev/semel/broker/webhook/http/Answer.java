package dev.semel.broker.webhook.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of a request. */
public sealed interface Answer {
    /**
     * The endpoint has answered.
     *
     * @param retryAfter for how long it asks to be left alone
     * @param body the beginning of it, as text; empty when it was not read
     */
    record Status(int code, @Nullable Duration retryAfter, String body) implements Answer {
        public boolean isSuccess() {
            return code >= 200 && code < 300;
        }
    }

    /**
     * It has not; it may have got the request or not.
     *
     * @param kind one word: {@code dns}, {@code address}, {@code connect}, {@code tls}, {@code timeout}, {@code broken}
     */
    record None(String kind, String reason) implements Answer {}
}
