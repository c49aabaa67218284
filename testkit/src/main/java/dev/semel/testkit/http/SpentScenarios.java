package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.otherBodyThan;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replay;
import static dev.semel.testkit.http.Expect.sameHeaderAs;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;

import java.time.Duration;
import java.util.List;

/** A key outlives its outcome, so that a very late retry is refused and not run. */
final class SpentScenarios {
    private SpentScenarios() {}

    static List<Scenario> all() {
        RawRequest charge = charge("/required/charges");
        RawRequest lost = charge("/required/dies-after");
        return List.of(
                scenario("an outcome is replayed for 24 hours, then the key is spent for 30 days, then it is new")
                        .send(charge, fresh(201))
                        .later(Duration.ofHours(23))
                        .send(charge, replay())
                        .later(Duration.ofHours(2))
                        .send(charge, problem(410, "key-spent"), sameHeaderAs(1, "Idempotency-Expires"))
                        .send(charge.json("{}"), problem(422, "key-reused"))
                        .reached(1)
                        .later(Duration.ofDays(31))
                        .send(charge, fresh(201), otherBodyThan(1))
                        .tokensGrow()
                        .reached(2)
                        .effects(2),
                scenario("a doubt does not end by waiting")
                        .send(lost, problem(502, "outcome-unknown"))
                        .later(Duration.ofHours(25))
                        .send(lost, problem(409, "outcome-unknown"))
                        .reached(1)
                        .effects(1));
    }
}
