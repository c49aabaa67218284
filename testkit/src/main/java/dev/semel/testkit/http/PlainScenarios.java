package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.absent;
import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.otherBodyThan;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.RawRequest.post;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.bodyIs;
import static dev.semel.testkit.http.Sight.carried;
import static dev.semel.testkit.http.Sight.notCarried;
import static dev.semel.testkit.http.Sight.target;

import java.util.List;

/** What is not about keys passes as if nobody stood in between. */
final class PlainScenarios {
    private static final Expect UNTOUCHED = absent("Idempotency-Expires", "Idempotent-Replayed");

    private PlainScenarios() {}

    static List<Scenario> all() {
        byte[] large = Bytes.made(16 * 1024 * 1024);
        RawRequest upload = post("/off/binary").body("application/octet-stream", large);
        return List.of(
                scenario("a GET passes, its target untouched")
                        .send(
                                get("/plain/hello/%7e/;x=1,2/@:!$'()*+?b=2&a=1&&c=%20+/?"),
                                status(200),
                                body("hello"),
                                header("X-Plain", "yes"),
                                UNTOUCHED)
                        .upstreamSaw(
                                1,
                                target("/plain/hello/%7e/;x=1,2/@:!$'()*+?b=2&a=1&&c=%20+/?"),
                                notCarried("Semel-Fencing-Token", "Semel-Attempt", "Idempotency-Key"))
                        .effects(0),
                scenario("a GET passes, an encoded slash and an empty segment in its target too")
                        .send(get("/plain/hello/group%2Fproject//x"), status(200), body("hello"), UNTOUCHED)
                        .upstreamSaw(1, target("/plain/hello/group%2Fproject//x"))
                        .effects(0),
                scenario("a key on a GET means nothing, each one passes")
                        .send(get("/required/status/200").key("{key}"), status(200), UNTOUCHED)
                        .send(get("/required/status/200").key("{key}"), status(200), UNTOUCHED, otherBodyThan(1))
                        .upstreamSaw(1, carried("Idempotency-Key", "{key}"), notCarried("Semel-Attempt"))
                        .effects(2),
                scenario("PUT and DELETE pass where no route says otherwise")
                        .send(charge("/unlisted/charges").withMethod("PUT"), status(201), UNTOUCHED)
                        .send(charge("/unlisted/charges").withMethod("PUT"), status(201), UNTOUCHED, otherBodyThan(1))
                        .send(get("/unlisted/status/204").withMethod("DELETE").key("{key}"), status(204), UNTOUCHED)
                        .effects(3),
                scenario("a HEAD passes")
                        .send(get("/plain/hello").withMethod("HEAD"), status(200), header("Content-Length", "5"))
                        .effects(0),
                scenario("statuses pass as they are")
                        .send(get("/plain/status/418"), status(418), UNTOUCHED)
                        .send(get("/plain/status/304"), status(304), UNTOUCHED)
                        .send(get("/plain/status/503"), status(503), UNTOUCHED)
                        .effects(3),
                scenario("an answer streams: its beginning is there before its end is written")
                        .sendAndStream(get("/plain/stream"), status(200), body("firstlast"))
                        .effects(0),
                scenario("a request streams where keys are off: its beginning is there before its end is sent")
                        .sendAndStreamUp(3, charge("/off/charges"), status(201), UNTOUCHED)
                        .effects(1),
                scenario("16 MiB pass both ways where keys are off, whatever the limits")
                        .send(upload, status(200), body(large), UNTOUCHED)
                        .send(upload.inChunksOf(100_000), status(200), body(large))
                        .upstreamSaw(1, bodyIs(large))
                        .effects(2),
                scenario("hop-by-hop headers end here, without a key too")
                        .send(
                                charge("/off/charges"),
                                status(201),
                                absent("X-Hop", "Keep-Alive"),
                                header("X-Cost", "42"))
                        .effects(1),
                scenario("an answer that breaks off is seen to break off")
                        .sendAndSeeCutOff(get("/plain/short-answer"))
                        .effects(1),
                scenario("without a key, an upstream that gives no answer is a bad gateway")
                        .send(get("/plain/dies-after"), status(502), UNTOUCHED)
                        .send(charge("/optional/dies-after").noKey(), status(502), UNTOUCHED)
                        .reached(2)
                        .effects(2),
                scenario("without a key, an upstream that takes too long is a gateway's time-out")
                        .send(charge("/hurried/never"), problem(504, "outcome-unknown"))
                        .reached(1)
                        .effects(1),
                scenario("without a key, an upstream that begins another protocol has not answered")
                        .send(charge("/off/status/101"), problem(502, "outcome-unknown"))
                        .reached(1)
                        .effects(1));
    }
}
