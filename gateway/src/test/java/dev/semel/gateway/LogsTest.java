package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.key.KeyId;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator reads in the log of a gateway. */
class LogsTest {
    private static final String SECRET = "s3cr3t";

    @TempDir
    Path folder;

    @Test
    void a_doubt_has_a_line_when_it_begins_and_one_when_it_ends() throws Exception {
        String key = "doubt-" + SECRET;
        String hash = KeyId.of("", "POST /v1/charges", key).hash();
        try (LogLines lines = LogLines.of("semel.doubt");
                ObservedGateway gateway = ObservedGateway.start(folder)) {
            gateway.doubt(RawRequest.charge("/v1/charges").key(key));
            gateway.charge(key);
            gateway.charge(key);
            List<String> begun = lines.with(hash);
            assertEquals(1, begun.size(), begun.toString());
            assertTrue(
                    begun.getFirst()
                            .matches("WARN A doubt began: the operation may have happened\\. \\[operation=\"POST"
                                    + " /v1/charges\", hash=\"" + hash + "\", token=\"\\d+\", reason=\".+\"]"),
                    begun.getFirst());

            Received.Response story = gateway.admin(RawRequest.get("/admin/v1/keys/" + key));
            assertTrue(story.text().contains("\"hash\":\"" + hash + "\""), story::text);
            RawRequest word = RawRequest.post("/admin/v1/keys/" + key + "/resolve")
                    .json("{\"did\":\"not-happen\",\"reason\":\"looked\"}");
            assertEquals(200, gateway.admin(word).status());
            List<String> all = lines.with(hash);
            assertEquals(2, all.size(), all.toString());
            assertTrue(all.getLast().startsWith("INFO A doubt ended: the operation did not happen"), all.getLast());
            assertTrue(all.getLast().contains("by=\"operator\""), all.getLast());
            assertEquals(List.of(), lines.with(SECRET));
        }
    }

    @Test
    void an_upstream_that_is_lost_and_back_has_one_line_for_each() throws Exception {
        try (LogLines lines = LogLines.of("semel.upstream");
                ObservedGateway gateway = ObservedGateway.start(folder)) {
            String mine = gateway.upstreamAddress();
            assertEquals(201, gateway.charge("before").status());
            gateway.endUpstream();
            for (int i = 0; i < 5; i++)
                assertEquals(502, gateway.charge("lost-" + i).status());
            assertEquals(1, lines.with(mine).size(), lines.with(mine).toString());
            assertTrue(
                    lines.with(mine).getFirst().startsWith("WARN The upstream is lost"),
                    lines.with(mine).toString());
            gateway.restartUpstream();
            long deadline = System.nanoTime() + 30_000_000_000L;
            for (int i = 0; lines.with(mine).size() < 2; i++) {
                assertEquals(201, gateway.charge("again-" + i).status());
                assertTrue(System.nanoTime() - deadline < 0, lines.with(mine).toString());
            }
            assertTrue(
                    lines.with(mine).getLast().startsWith("INFO The upstream is back"),
                    lines.with(mine).toString());
            assertEquals(1, gateway.scrape().sum("semel_upstream_reachable"));
        }
    }

    @Test
    void the_access_log_has_a_line_a_request_and_nothing_that_is_the_clients_own() throws Exception {
        try (LogLines lines = LogLines.of("semel.access");
                ObservedGateway gateway = ObservedGateway.start(folder)) {
            RawRequest charge = RawRequest.charge("/access/" + SECRET + "?q=" + SECRET)
                    .key("k-" + SECRET)
                    .header("Authorization", SECRET)
                    .withMethod("PATCH");
            gateway.send(charge);
            gateway.send(charge);
            List<String> mine = lines.with("method=\"PATCH\"");
            assertEquals(2, mine.size(), mine.toString());
            String line = "INFO request \\[method=\"PATCH\", route=\"\\* /\\*\\*\", status=\"201\", outcome=\"%s\","
                    + " ms=\"[0-9.]+\"]";
            assertTrue(mine.getFirst().matches(line.formatted("fresh")), mine.toString());
            assertTrue(mine.getLast().matches(line.formatted("replayed")), mine.toString());
            assertFalse(lines.with(SECRET).size() > 0, lines.with(SECRET).toString());
        }
    }
}
