package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is not named is inherited: of a url that is given elsewhere from the file, of a route from the gateway. */
class UpstreamReaderTest {
    private static final URI ELSEWHERE = URI.create("https://10.0.0.9:7000");

    @TempDir
    Path folder;

    @Test
    void a_url_given_elsewhere_replaces_the_urls_and_nothing_else() throws Exception {
        Path trust = Files.writeString(folder.resolve("ca.pem"), "");
        String others = "connect-timeout: 1s, timeout: 5m, trust: '" + trust + "', verify-host: false }\n";
        UpstreamSettings expected =
                new UpstreamSettings(List.of(ELSEWHERE), Duration.ofSeconds(1), Duration.ofMinutes(5), trust, false);
        assertEquals(
                expected,
                valid("upstream: { url: [http://a, http://b], " + others, ELSEWHERE)
                        .upstream());
        assertEquals(expected, valid("upstream: { " + others, ELSEWHERE).upstream());
        assertEquals(
                UpstreamSettings.of(ELSEWHERE),
                valid("listen: 127.0.0.1:1", ELSEWHERE).upstream());
    }

    @Test
    void a_url_given_elsewhere_does_not_excuse_a_wrong_file() {
        assertEquals(
                List.of(
                        "semel.yaml:1:18: 'ftp://a' is not a URL such as http://127.0.0.1:9000",
                        "semel.yaml:1:36: 'soon' is not a duration; write a number and ms, s, m, h or d, such as 30s"),
                problems("upstream: { url: ftp://a, timeout: soon }", ELSEWHERE));
    }

    @Test
    void the_upstream_of_a_route_has_what_it_does_not_name_from_the_gateway() throws Exception {
        Path trust = Files.writeString(folder.resolve("ca.pem"), "");
        Path own = Files.writeString(folder.resolve("own.pem"), "");
        List<RouteSettings> routes = valid("""
            routes:
              - match: POST /a
                upstream: { url: https://a }
              - match: POST /b
                upstream: { url: https://b, connect-timeout: 9s, timeout: 8s, trust: '%s', verify-host: true }
              - match: POST /c
                upstream: { timeout: 7s }
              - match: POST /d
            upstream: { url: [https://x, https://y], connect-timeout: 1s, timeout: 5m, trust: '%s', verify-host: false }
            """.formatted(own, trust), null).routes();
        Duration second = Duration.ofSeconds(1);
        assertEquals(
                new UpstreamSettings(List.of(URI.create("https://a")), second, Duration.ofMinutes(5), trust, false),
                routes.get(0).upstream());
        assertEquals(
                new UpstreamSettings(
                        List.of(URI.create("https://b")), Duration.ofSeconds(9), Duration.ofSeconds(8), own, true),
                routes.get(1).upstream());
        assertEquals(
                new UpstreamSettings(
                        List.of(URI.create("https://x"), URI.create("https://y")),
                        second,
                        Duration.ofSeconds(7),
                        trust,
                        false),
                routes.get(2).upstream());
        assertNull(routes.get(3).upstream());
    }

    @Test
    void without_any_url_there_is_no_upstream() {
        assertEquals(List.of("semel.yaml:1:11: an upstream needs a url"), problems("upstream: { timeout: 5s }", null));
        assertEquals(
                List.of("semel.yaml:1:11: an upstream needs a url", "semel.yaml:1:26: 'x' is neither true nor false"),
                problems("upstream: { verify-host: x }", null));
    }

    private static GatewayConfig valid(String yaml, @Nullable URI url) {
        return switch (ConfigReader.read(yaml, "semel.yaml", name -> null, url)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private static List<String> problems(String yaml, @Nullable URI url) {
        return assertInstanceOf(
                        ConfigReader.Result.Invalid.class, ConfigReader.read(yaml, "semel.yaml", name -> null, url))
                .problems()
                .stream()
                .map(ConfigProblem::toString)
                .toList();
    }
}
