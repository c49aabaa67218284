package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.absent;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.otherBodyThan;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replay;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.sameBodyAs;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.attempt;

import java.util.ArrayList;
import java.util.List;

/** Which answers are kept, which free the key, and which leave doubt. */
final class StatusScenarios {
    private static final int[] STORED = {
        200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 304, 307, 308, 400, 402, 404, 405, 406, 409, 410, 411,
        412, 413, 415, 417, 418, 422, 423, 426, 428, 431, 451, 500
    };
    private static final int[] RELEASED = {401, 403, 407, 408, 425, 429, 503};
    private static final int[] DOUBTFUL = {502, 504};

    private StatusScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        for (int status : STORED) all.add(stored("by default " + status, "/required/status/" + status, status));
        for (int status : RELEASED) all.add(released("by default " + status, "/required/status/" + status, status));
        for (int status : DOUBTFUL) all.add(doubtful("by default " + status, "/required/status/" + status));
        all.add(stored("by the route's list 200", "/picky/status/200", 200));
        all.add(stored("by the route's list 402", "/picky/status/402", 402));
        all.add(released("by the route's list 503", "/picky/status/503", 503));
        all.add(doubtful("by the route's list 502", "/picky/status/502"));
        all.addAll(throughProxies());
        all.addAll(chosenByTheUpstream());
        all.addAll(attempts());
        return all;
    }

    private static Scenario stored(String what, String path, int status) {
        return scenario(what + " is kept")
                .send(charge(path), fresh(status))
                .send(charge(path), replay())
                .reached(1)
                .effects(1);
    }

    private static Scenario released(String what, String path, int status) {
        return scenario(what + " frees the key")
                .send(charge(path), status(status), absent("Idempotent-Replayed"))
                .send(charge(path), status(status), absent("Idempotent-Replayed"), otherBodyThan(1))
                .upstreamSaw(1, attempt(1))
                .upstreamSaw(2, attempt(2))
                .tokensGrow()
                .reached(2)
                .effects(2);
    }

    private static Scenario doubtful(String what, String path) {
        return scenario(what + " leaves doubt (D14)")
                .send(charge(path), status(Integer.parseInt(path.substring(path.length() - 3))))
                .send(charge(path), problem(409, "outcome-unknown"))
                .reached(1)
                .effects(1);
    }

    private static List<Scenario> throughProxies() {
        return List.of(
                madeUp("a 503 that Envoy made itself", "/required/proxied/envoy"),
                madeUp("a 503 that Istio made itself", "/required/proxied/istio"),
                madeUp("a 503 that one Envoy made and another passed on", "/required/proxied/second-envoy"),
                released("a 503 of the service behind Envoy", "/required/proxied/service-behind-envoy", 503),
                released("a 503 from Envoy with Retry-After", "/required/proxied/envoy-with-retry-after", 503),
                released("a 503 from another proxy", "/required/proxied/nginx", 503),
                released("a 503 of Envoy that the route's list names", "/picky/proxied/envoy", 503),
                madeUp("in strict rules a 503 without Retry-After", "/strict/proxied/nginx"),
                madeUp("in strict rules a 503 of Envoy", "/strict/proxied/envoy"),
                released("in strict rules a 503 with Retry-After", "/strict/proxied/envoy-with-retry-after", 503),
                madeUp("in strict rules a 429 without Retry-After", "/strict/proxied/limited"),
                released("in strict rules a 429 with Retry-After", "/strict/proxied/limited-with-retry-after", 429));
    }

    /** Nothing says that it did not run. */
    private static Scenario madeUp(String what, String path) {
        return scenario(what + " leaves doubt")
                .send(charge(path), problem(502, "outcome-unknown"))
                .send(charge(path), problem(409, "outcome-unknown"))
                .reached(1)
                .effects(1);
    }

    private static List<Scenario> chosenByTheUpstream() {
        Expect stripped = absent("Semel-Outcome");
        RawRequest store = charge("/required/outcome/store/503");
        RawRequest release = charge("/required/outcome/release/201");
        RawRequest doubt = charge("/required/outcome/doubt/200");
        RawRequest unknown = charge("/required/outcome/banana/201");
        return List.of(
                scenario("the upstream says that its 503 is to be kept")
                        .send(store, fresh(503), stripped)
                        .send(store, replay(), stripped)
                        .reached(1)
                        .effects(1),
                scenario("the upstream says that its 201 frees the key")
                        .send(release, status(201), stripped)
                        .send(release, status(201), stripped, otherBodyThan(1))
                        .upstreamSaw(2, attempt(2))
                        .reached(2)
                        .effects(2),
                scenario("the upstream says that it does not know")
                        .send(doubt, stripped)
                        .send(doubt, problem(409, "outcome-unknown"), stripped)
                        .reached(1)
                        .effects(1),
                scenario("a word from the upstream that means nothing changes nothing")
                        .send(unknown, fresh(201), stripped)
                        .send(unknown, replay(), stripped)
                        .effects(1),
                scenario("where there is no key, the word is taken off all the same")
                        .send(unknown.noKey().to("/optional/outcome/store/201"), status(201), stripped)
                        .effects(1));
    }

    private static List<Scenario> attempts() {
        RawRequest request = charge("/required/refuse-once");
        return List.of(scenario("a refused attempt is followed by one that runs, with a higher token (D13)")
                .send(request, status(503), absent("Idempotent-Replayed"))
                .send(request, fresh(201))
                .send(request, replayOf(2), sameBodyAs(2))
                .upstreamSaw(1, attempt(1))
                .upstreamSaw(2, attempt(2))
                .tokensGrow()
                .reached(2)
                .effects(1));
    }
}
