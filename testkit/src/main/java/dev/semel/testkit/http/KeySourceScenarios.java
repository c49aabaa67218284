package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.present;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;

import java.util.List;
import java.util.UUID;

/** A key may come from elsewhere than Idempotency-Key, and may have to look like one. */
final class KeySourceScenarios {
    private static final String OLD_UUID_V7 = "0190163d-8694-739b-aea5-966c26f8ad91";

    private KeySourceScenarios() {}

    static List<Scenario> all() {
        RawRequest header = charge("/from-header/charges").noKey();
        RawRequest natural = charge("/natural/charges").noKey();
        RawRequest uuid = charge("/uuid/charges");
        RawRequest form = charge("/form/charges");
        String invoice = UUID.randomUUID().toString();
        String body = "{\"invoice\":\"" + invoice + "\",\"amount\":1}";
        String other = "{\"invoice\":\"" + invoice + "-2\",\"amount\":1}";
        return List.of(
                scenario("key from another header")
                        .send(header, problem(400, "key-missing"))
                        .send(header.header("X-Request-Id", "{key}"), fresh(201))
                        .send(header.header("X-Request-Id", "\"{key}\""), replayOf(2))
                        .send(header.header("X-Request-Id", "{key}-2").key("{key}"), fresh(201))
                        .reached(2)
                        .effects(2),
                scenario("a natural key, made of what the request says")
                        .send(natural.header("X-Merchant", "{key}").json(body), fresh(201))
                        .send(natural.header("X-Merchant", "{key}").json(" " + body), replayOf(1))
                        .send(natural.header("X-Merchant", "{key}").json(other), fresh(201))
                        .send(natural.header("X-Merchant", "{key}-2").json(body), fresh(201))
                        .send(natural.json("{}"), problem(400, "key-missing"))
                        .send(natural.json(body), problem(400, "key-malformed"))
                        .send(natural.header("X-Merchant", "{key}").json("{}"), problem(400, "key-malformed"))
                        .reached(3)
                        .effects(3),
                scenario("a natural key says no to another request about the same thing")
                        .send(natural.header("X-Merchant", "{key}").json(body), fresh(201))
                        .send(
                                natural.header("X-Merchant", "{key}").json(body.replace("1}", "2}")),
                                problem(422, "key-reused"))
                        .effects(1),
                scenario("keys must be UUIDs where the route says so")
                        .send(uuid, problem(400, "key-malformed"))
                        .send(uuid.key(invoice), fresh(201))
                        .send(uuid.key("\"" + invoice + "\""), replayOf(2))
                        .reached(1)
                        .effects(1),
                scenario("keys must have a form where the route says so")
                        .send(form.key("pay-1"), problem(400, "key-malformed"))
                        .send(form.key("{key}-abc!"), problem(400, "key-malformed"))
                        .send(form.key("{key}"), fresh(201))
                        .reached(1)
                        .effects(1),
                scenario("a key that carries its time is refused when it is too old")
                        .send(
                                charge("/aged/charges").key(OLD_UUID_V7),
                                problem(410, "key-too-old"),
                                present("Idempotency-Expires"))
                        .send(charge("/aged/charges").key(UUID.randomUUID().toString()), status(201))
                        .reached(1)
                        .effects(1));
    }
}
