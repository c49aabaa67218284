package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.post;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.attempt;

import java.util.List;

/** A client that goes away changes nothing: what was sent whole runs and is kept, what was not is forgotten. */
final class HangUpScenarios {
    private static final Expect[] REPLAYED = {status(201), header("Idempotent-Replayed", "true")};

    private HangUpScenarios() {}

    static List<Scenario> all() {
        RawRequest gate = charge("/required/gate");
        RawRequest charge = charge("/required/charges");
        RawRequest large = post("/large/charges").key("{key}").body("text/plain", Bytes.made(1024 * 1024));
        return List.of(
                scenario("a client crashes while the operation runs: its retry gets the answer (D6)")
                        .sendAndCrash(gate)
                        .start(gate)
                        .openGate()
                        .answered(1, REPLAYED)
                        .reached(1)
                        .effects(1),
                scenario("a client hangs up while the operation runs, and comes back after it has ended (D6)")
                        .sendAndHangUp(gate)
                        .arrived(1)
                        .openGate()
                        .send(gate, REPLAYED)
                        .reached(1)
                        .effects(1),
                scenario("a client hangs up as soon as the request is out: it runs all the same (D6)")
                        .sendAndHangUp(charge)
                        .arrived(1)
                        .send(charge, REPLAYED)
                        .reached(1)
                        .effects(1),
                scenario("a client that waits for another attempt hangs up: nobody else notices")
                        .start(gate)
                        .arrived(1)
                        .sendAndHangUp(gate)
                        .sendAndHangUp(gate)
                        .openGate()
                        .answered(1, fresh(201))
                        .send(gate, REPLAYED)
                        .reached(1)
                        .effects(1),
                scenario("a client hangs up one byte before the end: nothing ran, and the key is as good as new")
                        .hangUpBeforeTheLast(1, charge)
                        .send(charge.json("{\"amount\":2}"), fresh(201))
                        .upstreamSaw(1, attempt(1))
                        .reached(1)
                        .effects(1),
                scenario("a client hangs up in the middle of a large body: nothing ran, and the key is as good as new")
                        .hangUpBeforeTheLast(500_000, large)
                        .send(large.json("{}"), fresh(201))
                        .upstreamSaw(1, attempt(1))
                        .reached(1)
                        .effects(1),
                scenario("a client hangs up in the middle of a chunk: nothing ran, and the key is as good as new")
                        .hangUpBeforeTheLast(12, charge.inChunksOf(8))
                        .send(charge.json("{}"), fresh(201))
                        .reached(1)
                        .effects(1),
                scenario("a client hangs up in the middle of the head")
                        .hangUpBeforeTheLast(60, charge)
                        .send(charge, fresh(201))
                        .reached(1)
                        .effects(1));
    }
}
