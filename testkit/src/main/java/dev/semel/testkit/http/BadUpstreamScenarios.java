package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.statusIn;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.post;
import static dev.semel.testkit.http.Scenario.scenario;

import java.util.ArrayList;
import java.util.List;

/** An upstream that answers badly: what it did is never forgotten, and what it says is never another's answer. */
final class BadUpstreamScenarios {
    private BadUpstreamScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(List.of(
                lost("a body that trickles without end", "/hasty/trickles", 504),
                lost("a head that trickles without end", "/hasty/trickles-head", 504),
                lost("interim answers without end", "/hasty/always-continues", 504),
                lost("headers without end", "/required/endless-headers", 502),
                lost("a header without end", "/required/endless-header", 502),
                lost("a status line without end", "/required/endless-status-line", 502),
                lost("a chunk extension without end", "/required/endless-chunk-extension", 502)));
        for (String flaw : List.of(
                "two-lengths",
                "negative-length",
                "length-beyond-counting",
                "chunk-size",
                "chunk-beyond-counting",
                "chunk-without-end",
                "nul",
                "bare-cr",
                "rubbish")) all.add(lost("an answer with " + flaw, "/required/raw/" + flaw, 502));
        all.addAll(answered());
        return all;
    }

    private static Scenario lost(String what, String path, int status) {
        return scenario("in doubt: " + what)
                .send(charge(path), problem(status, "outcome-unknown"))
                .send(charge(path), problem(409, "outcome-unknown"))
                .reached(1)
                .effects(1);
    }

    private static List<Scenario> answered() {
        RawRequest first = charge("/required/continues-first");
        RawRequest more = charge("/required/says-more");
        RawRequest longer = charge("/required/longer-than-said");
        RawRequest flood = charge("/hasty/trickles-a-lot");
        RawRequest early = post("/large/early-and-leaves").body("text/plain", Bytes.made(1024 * 1024));
        return List.of(
                scenario("interim answers come first: the last one counts")
                        .send(first, fresh(201))
                        .send(first, replayOf(1))
                        .effects(1),
                scenario("an answer that nobody asked for is nobody's answer")
                        .send(more, fresh(201), body("truly"))
                        .send(more.key("{key}-2"), statusIn(201, 502))
                        .send(more, replayOf(1))
                        .send(charge("/required/charges").key("{key}-3"), fresh(201))
                        .send(charge("/required/charges").key("{key}-4"), fresh(201))
                        .effects(4),
                scenario("bytes behind an answer are no part of it, nor of the next one")
                        .send(longer, fresh(201), body("truly"))
                        .send(longer, replayOf(1))
                        .send(charge("/required/charges").key("{key}-3"), fresh(201))
                        .effects(2),
                scenario("an answer over the limit that then trickles is cut off in time, and never runs again")
                        .sendAndSeeCutOff(flood)
                        .send(flood, statusIn(201, 409))
                        .reached(1)
                        .effects(1),
                scenario("an upstream answers before it has read the body, and leaves: what a client is told is true")
                        .churn(20, early)
                        .effectsAsTold());
    }
}
