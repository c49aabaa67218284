package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.target;

import java.util.List;

/** Connections that carry more than one request, or carry it in an unusual but right way. */
final class ConnectionScenarios {
    private static final RawRequest CHARGE = charge("/required/charges");

    private ConnectionScenarios() {}

    static List<Scenario> all() {
        return List.of(
                scenario("one connection carries many requests, refused ones among them")
                        .sendOnOneConnection(CHARGE, CHARGE, CHARGE.json("{}"), CHARGE.noKey(), CHARGE.key("{key}-2"))
                        .answer(1, fresh(201))
                        .answer(2, replayOf(1))
                        .answer(3, problem(422, "key-reused"))
                        .answer(4, problem(400, "key-missing"))
                        .answer(5, fresh(201))
                        .effects(2),
                scenario("pipelined requests are answered in their order, duplicates among them")
                        .pipeline(CHARGE, get("/plain/hello"), CHARGE, CHARGE.json("{}"), CHARGE.key("{key}-2"))
                        .answer(1, fresh(201))
                        .answer(2, status(200), Expect.body("hello"))
                        .answer(3, replayOf(1))
                        .answer(4, problem(422, "key-reused"))
                        .answer(5, fresh(201))
                        .effects(2),
                scenario("a request that comes one byte at a time is a request")
                        .sendInPieces(1, CHARGE, fresh(201))
                        .sendInPieces(7, CHARGE.inChunksOf(5), replayOf(1))
                        .effects(1),
                scenario("Connection: close is kept")
                        .sendAndSeeClose(CHARGE.header("Connection", "close"), fresh(201))
                        .sendAndSeeClose(CHARGE.header("Connection", "close"), replayOf(1))
                        .effects(1),
                scenario("a client that asks whether to go on is told to")
                        .sendAfterContinue(CHARGE.header("Expect", "100-continue"), fresh(201))
                        .send(CHARGE, replayOf(1))
                        .effects(1),
                scenario("a target with scheme and host is the same request as one without")
                        .send(CHARGE.to("http://{host}/required/charges"), fresh(201))
                        .send(CHARGE, replayOf(1))
                        .send(get("http://{host}/plain/hello?a=b"), status(200), Expect.body("hello"))
                        .upstreamSaw(1, target("/required/charges"))
                        .upstreamSaw(2, target("/plain/hello?a=b"))
                        .send(CHARGE.to("http://elsewhere.example/required/charges"), problem(400, "bad-request"))
                        .send(CHARGE.to("http://{host}?/required/charges"), problem(400, "bad-request"))
                        .effects(1),
                scenario("HTTP/1.0 is answered")
                        .sendBytes(
                                Wire.lines(
                                        "POST /required/charges HTTP/1.0",
                                        "Host: {host}",
                                        "X-Scenario: {scenario}",
                                        "Idempotency-Key: {key}",
                                        "Content-Length: 2",
                                        "",
                                        "{}"),
                                fresh(201))
                        .effects(1));
    }
}
