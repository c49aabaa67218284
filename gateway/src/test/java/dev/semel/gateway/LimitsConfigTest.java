package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.gateway.config.ConfigProblem;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.ConnectionLimits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LimitsConfigTest {
    private static ConfigReader.Result read(String limits) {
        String yaml = "upstream: { url: http://127.0.0.1:9 }\n" + limits;
        return ConfigReader.read(yaml, "semel.yaml", name -> null, null);
    }

    private static ConnectionLimits limits(String text) {
        return assertInstanceOf(
                        ConfigReader.Result.Valid.class,
                        read(text),
                        () -> read(text).toString())
                .config()
                .limits();
    }

    @Test
    void what_is_not_named_has_its_default() {
        assertEquals(ConnectionLimits.DEFAULT, limits(""));
        ConnectionLimits some = limits("limits: { head: 8KiB, streams: 7 }");
        assertEquals(8192, some.head());
        assertEquals(7, some.streams());
        assertEquals(ConnectionLimits.DEFAULT.idle(), some.idle());
    }

    @Test
    void all_of_them_are_read() {
        assertEquals(
                new ConnectionLimits(
                        2048, Duration.ofMillis(250), Duration.ofSeconds(2), Duration.ofMinutes(1), 5, 6, 7 << 20),
                limits("limits: { head: 2KiB, head-time: 250ms, body-time: 2s, idle: 1m, connections: 5, streams:"
                        + " 6, memory: 7MiB }"));
    }

    @Test
    void each_mistake_is_told_with_its_line() {
        List<String> lines = List.of(
                "  head: 1MiB",
                "  head-time: 0s",
                "  idle: 2d",
                "  connections: 0",
                "  streams: many",
                "  memory: 1KiB",
                "  haed: 1KiB");
        String yaml = "limits:\n" + String.join("\n", lines) + "\n";
        List<ConfigProblem> problems =
                assertInstanceOf(ConfigReader.Result.Invalid.class, read(yaml)).problems();
        assertEquals(lines.size(), problems.size(), problems::toString);
        for (int i = 0; i < lines.size(); i++)
            assertEquals(i + 3, problems.get(i).line(), problems.toString());
        assertTrue(problems.getFirst().message().contains("between 1KiB and 64KiB"), problems.toString());
    }
}
