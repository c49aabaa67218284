package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.member;
import static dev.semel.testkit.http.Expect.present;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.retryAfter;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.post;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.attempt;

import java.util.ArrayList;
import java.util.List;

/** Sent and no full answer: nobody knows, so nobody runs it again. Nothing sent: everybody may. */
final class DoubtScenarios {
    private static final Expect UNREACHABLE = problem(502, "upstream-unreachable");

    private DoubtScenarios() {}

    static List<Scenario> all() {
        RawRequest mebibyte = post("/large/dies-in-body").key("{key}").body("text/plain", Bytes.made(1024 * 1024));
        List<Scenario> all = new ArrayList<>(List.of(
                lost("the upstream closes after the request", charge("/required/dies-before"), 502, 0),
                lost("the upstream resets while the request is sent", mebibyte, 502, 0),
                lost("the upstream closes after the effect (D11)", charge("/required/dies-after"), 502, 1),
                lost("the upstream resets after the effect (D11)", charge("/required/resets-after"), 502, 1),
                lost("half of a head comes", charge("/required/half-head"), 502, 1),
                lost("half of a body comes, then a reset", charge("/required/half-answer"), 502, 1),
                lost("half of a body comes, then the end", charge("/required/short-answer"), 502, 1),
                lost("half of a chunk comes, then the end", charge("/required/half-chunks"), 502, 1),
                lost("what comes is no HTTP", charge("/required/rubbish"), 502, 1),
                lost("the upstream switches to another protocol", charge("/required/status/101"), 502, 1),
                lost("nothing comes in time", charge("/hasty/never"), 504, 1),
                lost("only half comes in time", charge("/hasty/stalls"), 504, 1)));
        all.addAll(afterDoubt());
        all.addAll(notSent());
        return all;
    }

    private static Scenario lost(String what, RawRequest request, int status, int effects) {
        return scenario("in doubt: " + what)
                .send(request, problem(status, "outcome-unknown"), present("Location"))
                .send(request, problem(409, "outcome-unknown"), present("Location"))
                .send(request, problem(409, "outcome-unknown"))
                .reached(1)
                .effects(effects);
    }

    private static List<Scenario> afterDoubt() {
        RawRequest lost = charge("/required/dies-after");
        RawRequest again = charge("/again/dies-after");
        return List.of(
                scenario("the Location of a doubt leads to the state of the key")
                        .send(lost, problem(502, "outcome-unknown"))
                        .follow(1, status(200), member("state", "\"in-doubt\""), member("attempt", "1"))
                        .send(lost, problem(409, "outcome-unknown"))
                        .follow(3, status(200), member("state", "\"in-doubt\""))
                        .effects(1),
                scenario("at least once: a lost answer frees the key at once")
                        .send(
                                again,
                                problem(502, "outcome-unknown"),
                                member("retry", "\"same-key\""),
                                retryAfter(),
                                present("Location"))
                        .follow(1, status(200), member("state", "\"free\""))
                        .send(again, problem(502, "outcome-unknown"))
                        .upstreamSaw(1, attempt(1))
                        .upstreamSaw(2, attempt(2))
                        .tokensGrow()
                        .reached(2)
                        .effects(2));
    }

    private static List<Scenario> notSent() {
        RawRequest gone = charge("/gone/charges");
        RawRequest tls = charge("/tls/charges");
        return List.of(
                scenario("nothing was sent: the key is free, and a later retry runs")
                        .send(gone, UNREACHABLE, retryAfter())
                        .send(gone, UNREACHABLE, retryAfter())
                        .openBackDoor()
                        .send(gone, fresh(201))
                        .send(gone, replayOf(3))
                        .reached(1)
                        .effects(1),
                scenario("an upstream that does not speak TLS as it should was sent nothing")
                        .send(tls, UNREACHABLE, retryAfter())
                        .send(tls, UNREACHABLE, retryAfter())
                        .reached(0)
                        .effects(0),
                scenario("an upstream closes connections that it just used: what a client is told is true all the same")
                        .churn(100, charge("/required/answers-and-leaves"))
                        .effectsAsTold(),
                scenario("100 duplicates find the upstream down: each is told so, or waits and then finds out")
                        .start(100, gone)
                        .answered(100, UNREACHABLE, retryAfter())
                        .reached(0)
                        .effects(0));
    }
}
