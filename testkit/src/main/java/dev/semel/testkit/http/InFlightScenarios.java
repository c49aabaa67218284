package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.retryAfter;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.attempt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Duplicates that come while the first attempt still runs. */
final class InFlightScenarios {
    private static final Expect IN_PROGRESS = problem(409, "in-progress");

    private InFlightScenarios() {}

    static List<Scenario> all(int mostWaiters) {
        List<Scenario> all = new ArrayList<>(waiting(mostWaiters));
        all.addAll(refused());
        all.addAll(leases());
        return all;
    }

    private static List<Scenario> waiting(int mostWaiters) {
        RawRequest gate = charge("/required/gate");
        int tooMany = 40;
        return List.of(
                scenario("100 duplicates at the same time are one effect and one answer")
                        .start(100, gate)
                        .arrived(1)
                        .openGate()
                        .answeredAlike(201)
                        .reached(1)
                        .effects(1),
                scenario("nobody slips in between looking and claiming (D1, D4, D12)")
                        .race(40, 6, charge("/required/charges"), 201)
                        .reached(40)
                        .effects(40),
                scenario("who waits is in nobody's way: other keys are served meanwhile (D10)")
                        .start(100, gate)
                        .arrived(1)
                        .send(charge("/required/charges").key("{key}-2"), fresh(201))
                        .openGate()
                        .answeredAlike(201)
                        .effects(2),
                scenario("more than may wait are told to come again later, and the others get the answer")
                        .start(1 + mostWaiters + tooMany, gate)
                        .answered(tooMany, problem(429, "too-many-waiters"), retryAfter())
                        .openGate()
                        .answeredAlike(201)
                        .effects(1),
                scenario("when the first attempt is refused, one of those who wait runs, and the rest get its"
                                + " answer (D13)")
                        .start(20, charge("/required/refuse-at-gate"))
                        .arrived(1)
                        .openGate()
                        .answeredAlike(201, 503)
                        .reached(2)
                        .effects(1),
                scenario("when the first attempt is lost, none of those who wait runs")
                        .start(20, charge("/required/dies-at-gate"))
                        .arrived(1)
                        .openGate()
                        .answered(
                                20, Expect.statusIn(502, 409), Expect.bodyContains("urn:semel:problem:outcome-unknown"))
                        .reached(1)
                        .effects(1));
    }

    private static List<Scenario> refused() {
        RawRequest reject = charge("/reject/gate");
        RawRequest brief = charge("/brief/gate");
        return List.of(
                scenario("where duplicates are rejected, they are told at once that another attempt runs")
                        .start(reject)
                        .arrived(1)
                        .send(reject, IN_PROGRESS, retryAfter())
                        .send(reject, IN_PROGRESS, retryAfter())
                        .openGate()
                        .answered(1, fresh(201))
                        .send(reject, replayOf(3))
                        .effects(1),
                scenario("when waiting ends, the duplicate goes and the holder is not disturbed (D2)")
                        .start(brief)
                        .arrived(1)
                        .sendAndWait(Duration.ofMillis(200), brief, IN_PROGRESS, retryAfter())
                        .sendAndWait(Duration.ofMillis(200), brief, IN_PROGRESS, retryAfter())
                        .reached(1)
                        .openGate()
                        .answered(1, fresh(201))
                        .send(brief, replayOf(3))
                        .effects(1));
    }

    private static List<Scenario> leases() {
        RawRequest once = charge("/reject/gate");
        RawRequest again = charge("/again/gate");
        Duration pastTheLease = Duration.ofSeconds(31);
        return List.of(
                scenario("at most once: a silent holder leaves doubt, and its late answer ends it (D5, D14)")
                        .start(once)
                        .arrived(1)
                        .later(pastTheLease)
                        .send(once, problem(409, "outcome-unknown"))
                        .openGate()
                        .answered(1, fresh(201))
                        .send(once, replayOf(2))
                        .reached(1)
                        .effects(1),
                scenario("at least once: after the lease the next attempt runs, and the first one's late answer"
                                + " changes nothing (D5)")
                        .start(again)
                        .arrived(1)
                        .later(pastTheLease)
                        .start(again)
                        .arrived(2)
                        .upstreamSaw(2, attempt(2))
                        .tokensGrow()
                        .openGate(2)
                        .answered(1, fresh(201))
                        .openGate()
                        .answered(1)
                        .send(again, replayOf(1))
                        .reached(2)
                        .effects(2));
    }
}
