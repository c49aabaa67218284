package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.bodyContains;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.retryAfter;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;

import java.util.List;

/** Three keys, two operations under way, one duplicate that waits: no tenant has more, and none is kept from its own. */
final class QuotaScenarios {
    private static final Expect EXCEEDED = problem(429, "quota-exceeded");

    private QuotaScenarios() {}

    static List<Scenario> all() {
        RawRequest charge = charge("/required/charges").by("ann");
        RawRequest gate = charge("/required/gate").by("ann");
        return List.of(
                quota("a tenant with all its keys gets replays and nothing new, and others go on")
                        .send(charge.key("{key}-1"), fresh(201))
                        .send(charge.key("{key}-2"), fresh(201))
                        .send(charge.key("{key}-3"), fresh(201))
                        .send(charge.key("{key}-4"), EXCEEDED, retryAfter(), bodyContains("(quota keys)"))
                        .send(charge.key("{key}-1"), replayOf(1))
                        .send(charge.key("{key}-1").json("{}"), problem(422, "key-reused"))
                        .send(charge("/required/charges").by("bob").key("{key}-4"), fresh(201))
                        .send(charge.noKey().to("/optional/charges"), status(201))
                        .reached(5)
                        .effects(5),
                quota("a key that was freed counts, and may be used again")
                        .send(charge("/required/refuse-once").by("ann"), status(503))
                        .send(charge.key("{key}-2"), fresh(201))
                        .send(charge.key("{key}-3"), fresh(201))
                        .send(charge.key("{key}-4"), EXCEEDED)
                        .send(charge("/required/refuse-once").by("ann"), fresh(201))
                        .effects(3),
                quota("claims of the service API count like requests")
                        .send(charge.key("{key}-1"), fresh(201))
                        .send(charge.key("{key}-2"), fresh(201))
                        .send(ServiceCalls.by("ann", ServiceCalls.claim(1)), status(201))
                        .send(
                                ServiceCalls.by(
                                        "ann",
                                        ServiceCalls.claim(
                                                "{\"operation\":\"refund\",\"key\":\"{key}\",\"payload\":1}")),
                                EXCEEDED)
                        .send(ServiceCalls.by("ann", ServiceCalls.complete(3, "1")), status(200))
                        .effects(2),
                quota("a tenant with all it may have under way is let in again when something has ended")
                        .start(gate.key("{key}-1"))
                        .start(gate.key("{key}-2"))
                        .arrived(2)
                        .send(charge.key("{key}-3"), EXCEEDED, retryAfter(), bodyContains("(quota in-flight)"))
                        .send(charge("/required/charges").by("bob"), fresh(201))
                        .openGate()
                        .answered(2, fresh(201))
                        .send(charge.key("{key}-3"), fresh(201))
                        .reached(4)
                        .effects(4),
                quota("more duplicates than may wait are told to come again, and the others get the answer")
                        .start(gate)
                        .arrived(1)
                        .start(2, gate)
                        .answered(1, problem(429, "too-many-waiters"), retryAfter())
                        .openGate()
                        .answeredAlike(201)
                        .reached(1)
                        .effects(1));
    }

    private static Draft quota(String name) {
        return scenario("quota: " + name).at(SetUp.TENANTS);
    }
}
