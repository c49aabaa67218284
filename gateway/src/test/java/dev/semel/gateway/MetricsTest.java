package dev.semel.gateway;

import static dev.semel.gateway.ObservedGateway.CHARGES;
import static dev.semel.gateway.ObservedGateway.EVERYTHING;
import static dev.semel.gateway.ObservedGateway.REFUNDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.nio.file.Path;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code /metrics} says, after traffic whose every end is known. */
class MetricsTest {
    private static final String SECRET = "s3cr3t";

    @TempDir
    Path folder;

    @Test
    void requests_are_counted_by_route_and_how_they_ended_and_all_of_it_is_documented() throws Exception {
        try (ObservedGateway gateway = ObservedGateway.start(folder)) {
            traffic(gateway);
            String text = gateway.metrics();
            Scrape scrape = Scrape.of(text);
            assertCounts(scrape);
            assertFalse(text.contains(SECRET), "a path, a key or a query of a client is in the metrics");
            MetricsDocument.read().assertDescribes(scrape);
        }
    }

    private static void traffic(ObservedGateway gateway) throws Exception {
        for (int i = 0; i < 3; i++)
            assertEquals(201, gateway.charge("fresh-" + SECRET + i).status());
        for (int i = 0; i < 2; i++)
            assertEquals(201, gateway.charge("fresh-" + SECRET + "0").status());
        assertEquals(400, gateway.send(RawRequest.charge("/v1/charges").noKey()).status());
        assertEquals(
                422,
                gateway.send(RawRequest.post("/v1/charges")
                                .key("fresh-" + SECRET + 0)
                                .json("{}"))
                        .status());
        RawRequest slow = RawRequest.charge("/" + SECRET + "/slow").key("waited");
        Future<Received.Response> first = gateway.threads().submit(() -> gateway.send(slow));
        gateway.awaitScrape("one runs", scrape -> scrape.sum("semel_in_flight") == 1);
        Future<Received.Response> second = gateway.threads().submit(() -> gateway.send(slow));
        gateway.awaitScrape("one waits", scrape -> scrape.sum("semel_waiting") == 1);
        gateway.slow.countDown();
        assertEquals(201, first.get().status());
        assertEquals(201, second.get().status());
        for (int i = 0; i < 4; i++)
            assertEquals(
                    201,
                    gateway.send(RawRequest.get("/" + SECRET + "?" + SECRET)).status());
        RawRequest doubtful = RawRequest.charge("/v1/charges").key("doubt-" + SECRET);
        gateway.doubt(doubtful);
        assertEquals(409, gateway.send(doubtful).status());
        gateway.doubt(RawRequest.charge("/v1/refunds").key("probed"));
        gateway.awaitScrape("the probe ended it", scrape -> scrape.sum("semel_doubts_ended_total") == 1);
        assertEquals(
                200, gateway.send(RawRequest.get("/.well-known/idempotency")).status());
        assertEquals(
                400,
                gateway.send(RawRequest.get("/" + SECRET).header("Host", "one").header("Host", "two"))
                        .status());
        gateway.endUpstream();
        assertEquals(502, gateway.charge("unreachable").status());
        assertEquals(502, gateway.send(RawRequest.get("/")).status());
    }

    private static void assertCounts(Scrape scrape) {
        assertRequests(3, scrape, CHARGES, "fresh", "none");
        assertRequests(2, scrape, CHARGES, "replayed", "none");
        assertRequests(1, scrape, CHARGES, "refused", "key-missing");
        assertRequests(1, scrape, CHARGES, "refused", "key-reused");
        assertRequests(1, scrape, CHARGES, "refused", "outcome-unknown");
        assertRequests(1, scrape, CHARGES, "failed", "outcome-unknown");
        assertRequests(1, scrape, CHARGES, "failed", "upstream-unreachable");
        assertRequests(1, scrape, REFUNDS, "failed", "outcome-unknown");
        assertRequests(1, scrape, EVERYTHING, "fresh", "none");
        assertRequests(1, scrape, EVERYTHING, "waited", "none");
        assertRequests(4, scrape, EVERYTHING, "passed", "none");
        assertRequests(1, scrape, EVERYTHING, "failed", "upstream-unreachable");
        assertRequests(1, scrape, "(semel)", "own", "none");
        assertRequests(1, scrape, "(none)", "refused", "bad-request");
        assertEquals(3 + 1, scrape.sum("semel_duplicates_absorbed_total"));
        assertEquals(3, scrape.sum("semel_upstream_seconds_count", "route", CHARGES, "result", "2xx"));
        assertEquals(1, scrape.sum("semel_upstream_seconds_count", "route", CHARGES, "result", "broken"));
        assertEquals(1, scrape.sum("semel_upstream_seconds_count", "route", CHARGES, "result", "not-sent"));
        assertEquals(4, scrape.sum("semel_upstream_seconds_count", "route", EVERYTHING, "result", "2xx") - 1);
        assertEquals(0, scrape.sum("semel_upstream_reachable"));
        assertEquals(2, scrape.sum("semel_doubts_begun_total"));
        assertEquals(1, scrape.sum("semel_doubts_ended_total", "by", "probe"));
        assertEquals(1, scrape.sum("semel_probes_total", "found", "did-not-happen"));
        assertEquals(0, scrape.sum("semel_in_flight"));
        double writes = scrape.sum("semel_store_commit_writes_sum");
        assertTrue(writes >= scrape.sum("semel_store_commit_writes_count") && writes >= 14, "writes: " + writes);
        assertTrue(scrape.sum("semel_store_seconds_count", "call", "insert") >= 10);
        assertTrue(scrape.sum("semel_sweep_passes_total") >= 1);
    }

    private static void assertRequests(int count, Scrape scrape, String route, String outcome, String problem) {
        String[] labels = {"route", route, "outcome", outcome, "problem", problem};
        assertEquals(count, scrape.sum("semel_requests_total", labels), String.join(" ", labels));
    }

    @Test
    void keys_in_doubt_are_counted_also_those_of_a_former_life() throws Exception {
        try (ObservedGateway gateway = ObservedGateway.start(folder)) {
            gateway.awaitScrape("the store is counted", scrape -> scrape.sum("semel_sweep_passes_total") >= 1);
            assertEquals(0, gateway.scrape().sum("semel_in_doubt"));
            for (String key : new String[] {"one", "two"})
                gateway.doubt(RawRequest.charge("/v1/charges").key(key));
            assertEquals(2, gateway.scrape().sum("semel_in_doubt"));

            gateway.restart();
            Scrape counted =
                    gateway.awaitScrape("the store is counted", scrape -> scrape.sum("semel_sweep_passes_total") >= 1);
            assertEquals(2, counted.sum("semel_in_doubt"));
            assertEquals(0, counted.sum("semel_doubts_begun_total"));
            String resolve = "/admin/v1/keys/one/resolve?operation=POST%20/v1/charges";
            RawRequest word = RawRequest.post(resolve).json("{\"did\":\"not-happen\",\"reason\":\"looked\"}");
            assertEquals(200, gateway.admin(word).status());
            assertEquals(1, gateway.scrape().sum("semel_in_doubt"));
            assertEquals(1, gateway.scrape().sum("semel_doubts_ended_total", "by", "operator"));
        }
    }
}
