package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.gateway.GuaranteeCheck;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds for requests that no route of the file matches, where there can be such. */
class DefaultRoutesTest {

    @Test
    void what_the_file_leaves_open_has_the_defaults() {
        assertEquals(List.of("POST /**", "PATCH /**", "* /**"), all());
        assertEquals(
                List.of("POST /v1/**", "* /{name}/**", "PUT /**", "POST /**", "PATCH /**", "* /**"),
                all("POST /v1/**", "* /{name}/**", "PUT /**"));
    }

    @Test
    void a_default_that_nothing_can_reach_is_left_out() {
        assertEquals(List.of("POST /a", "* /**"), all("POST /a", "* /**"));
        assertEquals(List.of("POST /**", "PATCH /**", "* /**"), all("post /**"));
        assertEquals(List.of("POST /**", "PATCH /**", "* /**"), all("POST /**", "PATCH /**"));
    }

    @Test
    void what_nothing_can_reach_promises_nothing() {
        assertNull(GuaranteeCheck.broken(config("* /**")));
        assertNull(GuaranteeCheck.broken(config("POST /**", "PATCH /**")));
        assertNotNull(GuaranteeCheck.broken(config("POST /**")), "PATCH is open");
    }

    private static List<String> all(String... matches) {
        return config(matches).allRoutes().stream()
                .map(route -> route.pattern().toString())
                .toList();
    }

    private static GatewayConfig config(String... matches) {
        String yaml = "upstream: { url: http://127.0.0.1:9 }\nstore: 'memory:'\nroutes: ["
                + Arrays.stream(matches)
                        .map(match -> "{ match: '" + match + "', guarantee: at-least-once }")
                        .collect(Collectors.joining(", "))
                + "]";
        return switch (ConfigReader.read(yaml, "semel.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }
}
