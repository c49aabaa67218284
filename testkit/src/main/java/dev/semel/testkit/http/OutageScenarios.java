package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.absent;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.member;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.retryAfter;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;

import java.util.List;

/** Without its store the subject fails closed: what it cannot remember, it does not let through. */
final class OutageScenarios {
    private static final Expect UNAVAILABLE = problem(503, "store-unavailable");

    private OutageScenarios() {}

    static List<Scenario> all() {
        RawRequest charge = charge("/required/charges");
        RawRequest gated = charge("/required/gate");
        RawRequest lookUp = RawRequest.get("/.semel/v1/keys/{key}?operation=POST%20/required/charges");
        return List.of(
                scenario("no store: a request with a key is refused and goes nowhere; later it runs")
                        .storeGoesDown()
                        .send(charge, UNAVAILABLE, retryAfter())
                        .send(charge, UNAVAILABLE, retryAfter())
                        .reached(0)
                        .storeComesBack()
                        .send(charge, fresh(201))
                        .send(charge, replayOf(3))
                        .reached(1)
                        .effects(1),
                scenario("no store: what is done cannot be replayed, nor is it run again")
                        .send(charge, fresh(201))
                        .storeGoesDown()
                        .send(charge, UNAVAILABLE, retryAfter())
                        .storeComesBack()
                        .send(charge, replayOf(1))
                        .reached(1)
                        .effects(1),
                scenario("no store: requests without a key pass")
                        .storeGoesDown()
                        .send(charge("/optional/charges").without("Idempotency-Key"), status(201))
                        .send(charge("/off/charges"), status(201), absent("Idempotency-Expires"))
                        .effects(2),
                scenario("no store: the state of a key cannot be told")
                        .send(charge, fresh(201))
                        .storeGoesDown()
                        .send(lookUp, UNAVAILABLE, retryAfter())
                        .storeComesBack()
                        .send(lookUp, status(200), member("state", "\"done\""))
                        .effects(1),
                scenario("the store goes down while the upstream works: the answer is not told before it is recorded")
                        .start(gated)
                        .arrived(1)
                        .storeGoesDown()
                        .openGate()
                        .answered(1, problem(504, "outcome-unknown"))
                        .storeComesBack()
                        .send(gated, status(201), header("Idempotent-Replayed", "true"))
                        .reached(1)
                        .effects(1));
    }
}
