package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.bodyContains;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.member;
import static dev.semel.testkit.http.Expect.notKept;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replay;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.SetUp.PLAIN;
import static dev.semel.testkit.http.SetUp.ROTATED;
import static dev.semel.testkit.http.SetUp.SEALED;
import static dev.semel.testkit.http.SetUp.SHREDDED;

import java.util.List;

/** Outcomes that are sealed: nobody notices, until a key is dropped. Then they are gone, and still nothing runs again. */
final class SealScenarios {
    private static final byte[] LARGE = Bytes.made(8 * 1024 * 1024);

    private SealScenarios() {}

    static List<Scenario> all() {
        RawRequest charge = charge("/required/charges");
        RawRequest binary = charge("/large/binary").body("application/octet-stream", LARGE);
        RawRequest lost = charge("/required/dies-after");
        RawRequest lookUp = get("/.semel/v1/keys/{key}?operation=POST%20/required/charges");
        return List.of(
                scenario("sealed: an answer is replayed to the last byte")
                        .at(SEALED)
                        .send(charge, fresh(201))
                        .send(charge, replay())
                        .send(charge.json("{}"), problem(422, "key-reused"))
                        .effects(1),
                scenario("sealed: 8 MiB that mean nothing")
                        .at(SEALED)
                        .send(binary, fresh(200), body(LARGE))
                        .at(ROTATED)
                        .send(binary, replay())
                        .effects(1),
                scenario("sealed: with a new key what the old one sealed is still replayed, and the other way round")
                        .at(SEALED)
                        .send(charge, fresh(201))
                        .at(ROTATED)
                        .send(charge, replay())
                        .send(charge.key("{key}-2"), fresh(201))
                        .at(SEALED)
                        .send(charge.key("{key}-2"), replayOf(3))
                        .effects(2),
                scenario("sealed: without its key an answer is not kept, and nothing runs again")
                        .at(SEALED)
                        .send(charge, fresh(201))
                        .send(charge("/required/status/402"), fresh(402))
                        .at(SHREDDED)
                        .send(charge, notKept(201))
                        .send(charge("/required/status/402"), notKept(402))
                        .send(charge, notKept(201))
                        .send(charge.json("{}"), problem(422, "key-reused"))
                        .send(lookUp, status(200), member("state", "\"done\""))
                        .reached(2)
                        .effects(2),
                scenario("sealed: who knows no keys at all says so, and runs nothing again")
                        .at(SEALED)
                        .send(charge, fresh(201))
                        .at(PLAIN)
                        .send(charge, notKept(201))
                        .send(charge.key("{key}-2"), fresh(201))
                        .at(SEALED)
                        .send(charge.key("{key}-2"), replayOf(3))
                        .effects(2),
                scenario("sealed: what another key sealed is not touched")
                        .at(ROTATED)
                        .send(charge, fresh(201))
                        .at(SHREDDED)
                        .send(charge, replay())
                        .effects(1),
                scenario("sealed: a doubt stays one without the key")
                        .at(SEALED)
                        .send(lost, problem(502, "outcome-unknown"))
                        .at(SHREDDED)
                        .send(lost, problem(409, "outcome-unknown"))
                        .reached(1)
                        .effects(1),
                scenario("sealed: what a claim was completed with")
                        .at(SEALED)
                        .send(ServiceCalls.claim(1999), status(201))
                        .send(ServiceCalls.complete(1, "{\"charge\": \"ch_1\"}"), status(200))
                        .at(ROTATED)
                        .send(ServiceCalls.claim(1999), status(200), body("{\"outcome\":{\"charge\": \"ch_1\"}}"))
                        .at(SHREDDED)
                        .send(ServiceCalls.claim(1999), status(200), bodyContains("response-not-kept"))
                        .effects(0));
    }
}
