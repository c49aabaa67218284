package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.carried;
import static dev.semel.testkit.http.Sight.notCarried;

import java.util.ArrayList;
import java.util.List;

/** Ways around a route that guards, or into what is Semel's own: none of them leads anywhere. */
final class EvasionScenarios {
    private static final Expect REFUSED = problem(400, "bad-request");

    private EvasionScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(others());
        for (String path : SPELLINGS) all.add(spelling(path));
        all.add(exactPath());
        for (RawRequest renamed : renamed()) all.add(otherMethod(renamed));
        return all;
    }

    /** What lenient servers take for {@code /exact/charges}, which needs a key, or for {@code /named/charges/7}. */
    private static final List<String> SPELLINGS = List.of(
            "/exact/charges/",
            "/exact/charges//",
            "/Exact/charges",
            "/exact/CHARGES",
            "/exact/%43harges",
            "/exact/charges%20",
            "/exact/charges%09",
            "/exact/charges.",
            "/exact/charges%2E",
            "/exact/charges%2e/",
            "/exact/charges.json",
            "/exact/charges%00.png",
            "/exact%20/charges",
            "/exact/charge%C5%BF",
            "/exact/charges%2520",
            "/exact/Charges;v=1",
            "/named/Charges/7",
            "/named/charges/7/");

    private static Scenario spelling(String path) {
        RawRequest charge = charge(path);
        return scenario("a path spelled " + path + " does not lead past its route")
                .send(charge.noKey(), REFUSED)
                .send(charge, REFUSED)
                .reached(0)
                .effects(0);
    }

    private static Scenario exactPath() {
        RawRequest charge = charge("/sensitive/charges");
        return scenario("where the server is known to tell spellings apart, another one is another path")
                .send(charge.noKey(), problem(400, "key-missing"))
                .send(charge, fresh(201))
                .send(charge.noKey().to("/Sensitive/charges"), status(201))
                .send(charge.noKey().to("/sensitive/charges/"), status(201))
                .send(charge, replayOf(2))
                .reached(3)
                .effects(3);
    }

    /** Requests that some server takes for a write whose order is kept. */
    private static List<RawRequest> renamed() {
        RawRequest write = charge("/ordered/charges/{key}").noKey();
        RawRequest form = charge("/ordered/charges/{key}");
        String type = "application/x-www-form-urlencoded";
        return List.of(
                write.header("X-HTTP-Method-Override", "POST").header("X-HTTP-Method-Override", "PUT"),
                write.header("X-HTTP-Method-Override", "POST, put"),
                write.header("X-HTTP-Method-Override", "\"PUT\""),
                write.header("X_HTTP_METHOD_OVERRIDE", "PUT"),
                write.header("X-HTTP_Method-Override", "PUT"),
                write.header("x_http_method", "Put"),
                write.header("X_Method_Override", "PUT"),
                write.to("/ordered/charges/{key}?_method=PUT"),
                write.to("/ordered/charges/{key}?a=1&_METHOD=put"),
                write.to("/ordered/charges/{key}?%5Fmethod=PU%54"),
                write.to("/ordered/charges/{key}?a=1;_method=PUT"),
                write.to("/ordered/charges/{key}?_method=POST&_method=PUT"),
                write.to("/ordered/charges/{key}?.method=PUT"),
                write.to("/Ordered/charges/{key}/?_method=PUT"),
                form.body(type, Bytes.utf8("amount=1&_method=put")),
                form.body(type + "; charset=utf-8", Bytes.utf8("%5fmethod=PUT&amount=1")));
    }

    private static Scenario otherMethod(RawRequest renamed) {
        return scenario("another method elsewhere in a request does not lead past a route: " + renamed)
                .send(renamed, REFUSED)
                .reached(0)
                .effects(0);
    }

    private static List<Scenario> others() {
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
                scenario("a request that names more methods than anyone would look at is refused")
                        .send(
                                charge("/any/charges").noKey().header("X-HTTP-Method-Override", "A,B,C,D,E,F,G,H,I"),
                                REFUSED)
                        .reached(0)
                        .effects(0),
                scenario("another spelling of a path does not lead past its order")
                        .send(write.header("If-Match", "5"), status(201))
                        .send(write.to("/ordered/%63harges/{key}").header("If-Match", "4"), problem(409, "stale-write"))
                        .send(
                                write.to("/ordered/charges/{key};a=b").header("If-Match", "4"),
                                problem(409, "stale-write"))
                        .send(write.to("/ordered/charges/{key}/").header("If-Match", "4"), problem(409, "stale-write"))
                        .send(
                                write.to("/ordered/charges/{key}%20").header("If-Match", "4"),
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
