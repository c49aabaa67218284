package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.bodyContains;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.headerContains;
import static dev.semel.testkit.http.Expect.present;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;

import java.util.List;

/** The published policy. */
final class DiscoveryScenarios {
    private DiscoveryScenarios() {}

    static List<Scenario> all() {
        RawRequest policy = get("/.well-known/idempotency");
        String browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
        return List.of(
                scenario("programs get the policy of every route as JSON")
                        .send(
                                policy,
                                status(200),
                                headerContains("Content-Type", "application/json"),
                                bodyContains("POST /required/**"),
                                bodyContains("POST /large/**"),
                                bodyContains("at-least-once"))
                        .send(policy.header("Accept", "*/*"), headerContains("Content-Type", "application/json"))
                        .reached(0)
                        .effects(0),
                scenario("whoever asks for the head alone gets it")
                        .send(policy.withMethod("HEAD"), status(200), present("Content-Length"), body(""))
                        .send(policy.withMethod("PUT"), status(405), header("Allow", "GET, HEAD"))
                        .reached(0)
                        .effects(0),
                scenario("browsers get it as HTML")
                        .send(
                                policy.header("Accept", browser),
                                status(200),
                                headerContains("Content-Type", "text/html"),
                                bodyContains("<html"),
                                bodyContains("POST /required/**"))
                        .reached(0)
                        .effects(0));
    }
}
