package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.admin.JsonTree;
import dev.semel.testkit.server.FreePort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The log of a real process, as a program and as a person reads it. */
class LogFormatTest {
    private static final String ZONED = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d) ";

    @Test
    @SuppressWarnings("try") // the upstream goes away half-way
    void as_json_every_line_is_an_object_and_requests_are_there_when_asked_for() throws Exception {
        try (OpenStore store = OpenStore.Kind.ROCKSDB.open();
                CountingUpstream upstream = CountingUpstream.start()) {
            int port = FreePort.pick();
            String[] serve = serve(store, upstream.url().toString(), port, "--log", "json");
            SemelProcess.Ended ended;
            try (SemelProcess gateway = SemelProcess.start(Map.of("SEMEL_ACCESS_LOG", "on"), serve)) {
                gateway.awaitError("admin on ");
                try (Client client = new Client(port)) {
                    assertEquals(201, client.order("k-1").status());
                    assertTrue(client.order("k-1").isReplay());
                }
                upstream.close();
                try (Client client = new Client(port)) {
                    assertEquals(502, client.order("k-2").status());
                }
                gateway.terminate();
                ended = gateway.ended();
            }
            List<Map<?, ?>> lines = new ArrayList<>();
            for (String line : ended.err().lines().toList())
                lines.add(JsonTree.readObject(line.getBytes(StandardCharsets.UTF_8)));
            for (Map<?, ?> line : lines) {
                Instant.parse((String) line.get("time"));
                assertTrue(line.containsKey("level") && line.containsKey("logger"), line.toString());
            }
            assertEquals(
                    List.of("fresh", "replayed", "failed"),
                    lines.stream()
                            .filter(line -> "semel.access".equals(line.get("logger")))
                            .map(line -> line.get("outcome"))
                            .toList());
            assertTrue(ended.err().contains("\"logger\":\"semel.upstream\""), ended.err());
            assertTrue(lines.getLast().get("message").toString().startsWith("stopping"), ended.err());
            assertFalse(ended.err().contains("k-1") || ended.err().contains("k-2"), ended.err());
        }
    }

    @Test
    void as_text_a_line_begins_with_its_date_and_zone_and_requests_are_left_out() throws Exception {
        try (OpenStore store = OpenStore.Kind.ROCKSDB.open()) {
            int port = FreePort.pick();
            String nobody = "http://127.0.0.1:" + FreePort.pick();
            try (SemelProcess gateway = SemelProcess.start(serve(store, nobody, port))) {
                gateway.awaitError("admin on ");
                try (Client client = new Client(port)) {
                    assertEquals(
                            502,
                            client.order("3f1c9a52-7f1e-4f7b-9a55-0c1e7a9d2b44").status());
                }
                gateway.awaitError("upstream=\"" + nobody + "\"");
                List<String> logged = gateway.errorSoFar()
                        .lines()
                        .filter(line -> !line.startsWith("semel: "))
                        .toList();
                assertTrue(logged.stream().allMatch(line -> line.matches(ZONED + "(INFO|WARN) .*")), logged.toString());
                assertTrue(
                        logged.getLast().matches(ZONED + "WARN +upstream The upstream is lost.*"), logged.toString());
                assertTrue(logged.stream().noneMatch(line -> line.contains(" access ")), logged.toString());
            }
        }
    }

    @Test
    void a_format_that_is_not_there_is_refused() throws Exception {
        try (SemelProcess serve =
                SemelProcess.start(Map.of("SEMEL_LOG", "xml"), "serve", "--upstream", "http://127.0.0.1:1")) {
            SemelProcess.Ended ended = serve.ended();
            assertEquals(2, ended.code());
            assertTrue(ended.err().contains("'xml' is no format of the log. Known are text and json."), ended.err());
        }
    }

    private static String[] serve(OpenStore store, String upstream, int port, String... more) throws IOException {
        List<String> all = new ArrayList<>(List.of("serve", "--upstream", upstream, "--store", store.url()));
        all.addAll(List.of("--listen", "127.0.0.1:" + port, "--admin", "127.0.0.1:" + FreePort.pick()));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }
}
