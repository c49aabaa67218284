package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.bodyContains;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.member;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.retryAfter;
import static dev.semel.testkit.http.Expect.sameBodyAs;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.attempt;

import java.time.Duration;
import java.util.List;

/** A doubt ends by asking the upstream. Each route with a probe asks 10 seconds after the doubt began. */
final class ProbeScenarios {
    private static final Duration DUE = Duration.ofSeconds(10);
    private static final Expect UNKNOWN = problem(409, "outcome-unknown");

    private ProbeScenarios() {}

    static List<Scenario> all() {
        RawRequest happened = charge("/probed/dies-after");
        RawRequest soon = charge("/soon/dies-after");
        RawRequest lost = charge("/probed/dies-before");
        RawRequest unsure = charge("/unsure/dies-after");
        RawRequest listed = charge("/listed/dies-after");
        RawRequest unlisted = charge("/listed/dies-before");
        RawRequest referred = charge("/referred/dies-after").header("X-Ref", "{key}");
        RawRequest unreferred = charge("/referred/dies-after");
        return List.of(
                scenario("probe: it did happen, and the retry gets what was found, like every later one")
                        .send(happened, problem(502, "outcome-unknown"), retryAfter())
                        .later(DUE)
                        .send(
                                happened,
                                status(200),
                                header("Idempotent-Replayed", "true"),
                                bodyContains("\"found\":\"{key}\""))
                        .send(happened, status(200), header("Idempotent-Replayed", "true"), sameBodyAs(2))
                        .follow(1, status(200), member("state", "\"done\""))
                        .reached(1)
                        .effects(1),
                scenario("probe: a retry that waits also waits for a probe that is due in time")
                        .send(soon, problem(502, "outcome-unknown"))
                        .start(soon)
                        .later(Duration.ofSeconds(1))
                        .answered(1, status(200), header("Idempotent-Replayed", "true"))
                        .reached(1)
                        .effects(1),
                scenario("probe: it did not happen, and the retry runs as another attempt")
                        .send(lost, problem(502, "outcome-unknown"))
                        .later(DUE)
                        .send(lost, problem(502, "outcome-unknown"))
                        .upstreamSaw(1, attempt(1))
                        .upstreamSaw(2, attempt(2))
                        .tokensGrow()
                        .reached(2)
                        .effects(0),
                scenario("probe: not before its time, for the request may still be on its way")
                        .send(lost, problem(502, "outcome-unknown"))
                        .send(lost, UNKNOWN, retryAfter())
                        .later(DUE.minusSeconds(6))
                        .send(lost, UNKNOWN, retryAfter())
                        .reached(1)
                        .effects(0),
                scenario("probe: an upstream that cannot tell leaves the doubt as it is")
                        .send(unsure, problem(502, "outcome-unknown"))
                        .later(DUE)
                        .send(unsure, UNKNOWN, retryAfter())
                        .send(unsure, UNKNOWN, retryAfter())
                        .reached(1)
                        .effects(1),
                scenario("probe: what was found in a list is cut out of it")
                        .send(listed, problem(502, "outcome-unknown"))
                        .later(DUE)
                        .send(
                                listed,
                                status(201),
                                header("Content-Type", "application/json"),
                                body("{\"found\": \"{key}\", \"amount\": 12.50}"))
                        .reached(1)
                        .effects(1),
                scenario("probe: an empty list says that it did not happen")
                        .send(unlisted, problem(502, "outcome-unknown"))
                        .later(DUE)
                        .send(unlisted, problem(502, "outcome-unknown"))
                        .reached(2)
                        .effects(0),
                scenario("probe: what it asks by is kept, also when the retry does not send it again")
                        .send(referred, problem(502, "outcome-unknown"))
                        .later(DUE)
                        .send(unreferred, status(200), header("Idempotent-Replayed", "true"))
                        .reached(1)
                        .effects(1),
                scenario("probe: without what it asks by, nobody can tell")
                        .send(unreferred, problem(502, "outcome-unknown"))
                        .later(DUE)
                        .send(unreferred, UNKNOWN)
                        .reached(1)
                        .effects(1));
    }
}
