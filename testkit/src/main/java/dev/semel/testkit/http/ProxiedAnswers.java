package dev.semel.testkit.http;

import java.io.IOException;
import java.util.Map;

/**
 * {@code proxied/WHO}: an effect, and then an answer as it comes through proxies. Some are made by the proxy, after it
 * forwarded the request and the connection broke.
 */
final class ProxiedAnswers {
    private record Answer(int status, Fields headers, String body) {}

    private static final String RESET =
            "upstream connect error or disconnect/reset before headers. reset reason: connection termination";
    private static final String TEXT = "text/plain";

    private static final Map<String, Answer> BY_WHOM = Map.of(
            "envoy", new Answer(503, Fields.of("Content-Type", TEXT, "server", "envoy"), RESET),
            "istio", new Answer(503, Fields.of("Content-Type", TEXT, "server", "istio-envoy"), "no healthy upstream"),
            "second-envoy",
                    new Answer(
                            503,
                            Fields.of("Content-Type", TEXT, "server", "envoy", "x-envoy-upstream-service-time", "7"),
                            RESET),
            "service-behind-envoy",
                    new Answer(503, Fields.of("server", "envoy", "x-envoy-upstream-service-time", "7"), "busy"),
            "envoy-with-retry-after", new Answer(503, Fields.of("server", "envoy", "Retry-After", "1"), "busy"),
            "nginx", new Answer(503, Fields.of("server", "nginx"), "too many requests"),
            "limited", new Answer(429, Fields.of("server", "nginx"), "too many requests"),
            "limited-with-retry-after", new Answer(429, Fields.of("Retry-After", "1"), "too many requests"));

    private ProxiedAnswers() {}

    static void serve(UpstreamCall call) throws IOException {
        call.body();
        int number = call.numberedEffect();
        Answer answer = BY_WHOM.get(call.segment(2));
        if (answer == null) throw new IllegalArgumentException("Nobody is called " + call.segment(2));
        call.answer(answer.status(), answer.headers(), Bytes.utf8(answer.body() + " " + number));
    }
}
