package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.absent;
import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.notKept;
import static dev.semel.testkit.http.Expect.present;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replay;
import static dev.semel.testkit.http.Expect.statusIn;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.post;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.attempt;

import java.util.ArrayList;
import java.util.List;

/** Bodies over the limits: refused on the way in, passed on but not kept on the way out. */
final class LimitScenarios {
    private static final int REQUEST_LIMIT = 1024;
    private static final int RESPONSE_LIMIT = 4096;

    private LimitScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(requests());
        all.add(tooBig("just over the limit", "/small/big?bytes=" + (RESPONSE_LIMIT + 1), RESPONSE_LIMIT + 1));
        all.add(tooBig("far over the limit", "/small/big?bytes=1000000", 1_000_000));
        all.add(tooBig("in chunks", "/small/big?bytes=100000&chunked", 100_000));
        all.add(tooBig("over the default limit", "/required/big?bytes=5000000", 5_000_000));
        all.addAll(responses());
        return all;
    }

    private static List<Scenario> requests() {
        RawRequest most = sized(REQUEST_LIMIT);
        RawRequest tooLarge = sized(REQUEST_LIMIT + 1);
        Expect refused = problem(413, "body-too-large");
        return List.of(
                scenario("a request of exactly the limit runs")
                        .send(most, fresh(201))
                        .send(most, replay())
                        .effects(1),
                scenario("a request over the limit is refused, and its key is as good as new")
                        .send(tooLarge, refused, present("Idempotency-Expires"))
                        .send(most, fresh(201))
                        .upstreamSaw(1, attempt(1))
                        .reached(1)
                        .effects(1),
                scenario("chunks over the limit are refused")
                        .send(tooLarge.inChunksOf(100), refused)
                        .send(sized(100_000).inChunksOf(1000), refused)
                        .reached(0)
                        .effects(0),
                scenario("a length over the limit is refused before the body comes")
                        .send(sized(0).header("Content-Length", "10000000000"), refused)
                        .reached(0)
                        .effects(0),
                scenario("the default limit holds")
                        .send(sized(1024 * 1024 + 1).to("/required/charges"), refused)
                        .reached(0)
                        .effects(0));
    }

    private static RawRequest sized(int size) {
        return post("/small/charges").key("{key}").body("text/plain", Bytes.made(size));
    }

    private static Scenario tooBig(String what, String path, int size) {
        return scenario("an answer " + what + " is passed on whole, and never runs again (D15)")
                .send(charge(path), fresh(200), body(Bytes.made(size)))
                .send(charge(path), notKept(200), header("X-Size", "" + size))
                .send(charge(path), notKept(200))
                .reached(1)
                .effects(1);
    }

    private static List<Scenario> responses() {
        RawRequest most = charge("/small/big?bytes=" + RESPONSE_LIMIT);
        RawRequest half = charge("/small/big-half?bytes=1000000");
        RawRequest big = charge("/small/big?bytes=20000000");
        RawRequest status = charge("/small/big?bytes=100000");
        return List.of(
                scenario("an answer of exactly the limit is kept")
                        .send(most, fresh(200))
                        .send(most, replay())
                        .effects(1),
                scenario("an answer over the limit that breaks off is seen to break off, and never runs again")
                        .sendAndSeeCutOff(half)
                        .send(half, statusIn(200, 409), header("Content-Type", "application/problem+json"))
                        .reached(1)
                        .effects(1),
                scenario("a client that leaves in the middle of an answer over the limit finds it not kept")
                        .sendAndHangUp(big)
                        .arrived(1)
                        .send(big, notKept(200))
                        .reached(1)
                        .effects(1),
                scenario("what stands for a body that was not kept has no headers of the body it replaces")
                        .send(status, fresh(200))
                        .send(status, notKept(200), absent("Content-Encoding", "Content-MD5", "ETag", "Content-Range"))
                        .effects(1));
    }
}
