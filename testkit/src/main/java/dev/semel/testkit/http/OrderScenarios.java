package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;

import java.util.List;

/** Writes to a resource pass in the order of their versions, whoever sends them and however late. */
final class OrderScenarios {
    private static final Expect STALE = problem(409, "stale-write");

    private OrderScenarios() {}

    static List<Scenario> all() {
        RawRequest keyed = charge("/ordered/charges/{key}").withMethod("PUT");
        RawRequest write = keyed.noKey();
        RawRequest body = charge("/versioned/charges/{key}").withMethod("PATCH").noKey();
        return List.of(
                scenario("order: a late retry does not undo the refund that came after it")
                        .send(write.header("If-Match", "\"3\""), status(201))
                        .send(write.header("If-Match", "\"4\"").json("{\"balance\":0}"), status(201))
                        .send(write.header("If-Match", "\"3\""), STALE)
                        .reached(2)
                        .effects(2),
                scenario("order: with a key, what is done is replayed, and what is stale and was never sent is refused")
                        .send(keyed.key("{key}-a").header("If-Match", "3"), fresh(201))
                        .send(keyed.key("{key}-b").header("If-Match", "4"), fresh(201))
                        .send(keyed.key("{key}-a").header("If-Match", "3"), replayOf(1))
                        .send(keyed.key("{key}-c").header("If-Match", "3"), STALE)
                        .send(keyed.key("{key}-c").header("If-Match", "W/\"5\""), fresh(201))
                        .reached(3)
                        .effects(3),
                scenario("order: the same version may be written again")
                        .send(write.header("If-Match", "7"), status(201))
                        .send(write.header("If-Match", "7"), status(201))
                        .send(write.header("If-Match", "6"), STALE)
                        .effects(2),
                scenario("order: a write that did not run does not stand in the way of lower ones")
                        .send(write.header("If-Match", "3"), status(201))
                        .send(write.to("/ordered/status/401").header("If-Match", "9"), status(401))
                        .send(write.to("/ordered/status/401").header("If-Match", "1"), status(401))
                        .send(write.to("/ordered/status/201").header("If-Match", "8"), status(201))
                        .reached(4)
                        .effects(4),
                scenario("order: a write that the upstream refused does not stand in the way of lower ones")
                        .send(write.to("/ordered/status/412").header("If-Match", "999999"), status(412))
                        .send(write.to("/ordered/status/412").header("If-Match", "8"), status(412))
                        .send(keyed.to("/ordered/status/409").header("If-Match", "9"), fresh(409))
                        .send(write.to("/ordered/status/409").header("If-Match", "1"), status(409))
                        .reached(4)
                        .effects(4),
                scenario("order: each resource has its own")
                        .send(write.header("If-Match", "9"), status(201))
                        .send(write.to("/ordered/charges/{key}-other").header("If-Match", "1"), status(201))
                        .effects(2),
                scenario("order: a version is needed, and must be a number")
                        .send(write, problem(400, "version-missing"))
                        .send(write.header("If-Match", "*"), problem(400, "version-malformed"))
                        .send(write.header("If-Match", "\"abc\""), problem(400, "version-malformed"))
                        .send(write.header("If-Match", "-1"), problem(400, "version-malformed"))
                        .send(write.header("If-Match", "99999999999999999999"), problem(400, "version-malformed"))
                        .reached(0)
                        .effects(0),
                scenario("order: the version may stand in the body")
                        .send(body.json("{\"version\":2}"), status(201))
                        .send(body.json("{\"version\":1}"), STALE)
                        .send(body.json("{\"version\":10}"), status(201))
                        .send(body.json("{\"version\":9}"), STALE)
                        .effects(2),
                scenario("order: without its store nothing passes")
                        .storeGoesDown()
                        .send(write.header("If-Match", "1"), problem(503, "store-unavailable"))
                        .storeComesBack()
                        .send(write.header("If-Match", "1"), status(201))
                        .reached(1)
                        .effects(1),
                scenario("order: reading needs no version")
                        .send(RawRequest.get("/ordered/hello"), status(200))
                        .effects(0));
    }
}
