package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.carried;
import static dev.semel.testkit.http.Sight.notCarried;

import java.util.List;

/** Ways around a route that guards, or into what is Semel's own: none of them leads anywhere. */
final class EvasionScenarios {
    private static final Expect REFUSED = problem(400, "bad-request");

    private EvasionScenarios() {}

    static List<Scenario> all() {
        RawRequest charge = charge("/required/charges");
        RawRequest write = charge("/ordered/charges/{key}").withMethod("PUT").noKey();
        return List.of(
                scenario("a fragment in the target does not lead past a route")
                        .send(charge.noKey().to("/required/charges#x"), REFUSED)
                        .reached(0)
                        .effects(0),
                scenario("a method in small letters does not lead past a route")
                        .send(charge.noKey().withMethod("post"), REFUSED)
                        .reached(0)
                        .effects(0),
                scenario("a method in a header does not lead past a route")
                        .send(write.withMethod("POST").header("X-HTTP-Method-Override", "PUT"), REFUSED)
                        .send(write.withMethod("POST").header("X-Method-Override", "put"), REFUSED)
                        .reached(0)
                        .effects(0),
                scenario("a method in a header that leads past nothing is none of the gateway's business")
                        .send(charge("/any/charges").noKey().header("X-HTTP-Method-Override", "PUT"), status(201))
                        .send(get("/optional/charges").header("X-HTTP-Method-Override", "POST"), REFUSED)
                        .reached(1)
                        .effects(1),
                scenario("another spelling of a path does not lead past its order")
                        .send(write.header("If-Match", "5"), status(201))
                        .send(write.to("/ordered/%63harges/{key}").header("If-Match", "4"), problem(409, "stale-write"))
                        .send(
                                write.to("/ordered/charges/{key};a=b").header("If-Match", "4"),
                                problem(409, "stale-write"))
                        .reached(1)
                        .effects(1),
                scenario("twins with underscores of what is Semel's own do not reach the upstream")
                        .send(
                                charge.header("Semel_Fencing_Token", "999")
                                        .header("Idempotency_Key", "other")
                                        .header("X_Forwarded_For", "10.0.0.1")
                                        .header("X_Plain", "yes"),
                                fresh(201))
                        .upstreamSaw(
                                1,
                                notCarried("Semel_Fencing_Token", "Idempotency_Key", "X_Forwarded_For"),
                                carried("X_Plain", "yes"))
                        .effects(1),
                scenario("a key that was found elsewhere is the one the upstream sees")
                        .send(charge("/from-header/charges").key("another").header("X-Request-Id", "{key}"), fresh(201))
                        .upstreamSaw(1, carried("Idempotency-Key", "{key}"))
                        .effects(1),
                scenario("what is Semel's own cannot be looked up")
                        .send(
                                get("/.semel/v1/keys/tenant-hash-key?operation=semel:secret"),
                                problem(404, "key-unknown"))
                        .send(get("/.semel/v1/keys/k1?operation=semel:encryption"), problem(404, "key-unknown"))
                        .send(get("/.semel/v1/keys/%2Fordered?operation=semel:order"), problem(404, "key-unknown"))
                        .effects(0));
    }
}
