package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.attempt;
import static dev.semel.testkit.http.Sight.carried;
import static dev.semel.testkit.http.Sight.carriedLike;
import static dev.semel.testkit.http.Sight.carriedPart;
import static dev.semel.testkit.http.Sight.notCarried;
import static dev.semel.testkit.http.Sight.target;

import java.util.List;

/** What the upstream is told. */
final class UpstreamHeaderScenarios {
    private static final RawRequest CHARGE = charge("/required/charges");

    private UpstreamHeaderScenarios() {}

    static List<Scenario> all() {
        return List.of(
                scenario("the upstream gets key, fencing token and attempt")
                        .send(CHARGE, fresh(201))
                        .upstreamSaw(
                                1,
                                carried("Idempotency-Key", "{key}"),
                                carriedLike("Semel-Fencing-Token", "[1-9][0-9]{0,18}"),
                                attempt(1))
                        .effects(1),
                scenario("the upstream gets the key as the client sent it")
                        .send(CHARGE.key("\"{key}\""), fresh(201))
                        .upstreamSaw(1, carried("Idempotency-Key", "\"{key}\""))
                        .effects(1),
                scenario("the upstream is told for whom, by what way and under what name")
                        .send(CHARGE, fresh(201))
                        .upstreamSaw(
                                1,
                                carriedPart("Forwarded", "for="),
                                carriedPart("Forwarded", "127.0.0.1"),
                                carriedPart("Forwarded", "proto=http"),
                                carriedPart("Forwarded", "host="),
                                carried("X-Forwarded-For", "127.0.0.1"),
                                carried("X-Forwarded-Proto", "http"),
                                carried("X-Forwarded-Host", "{host}"))
                        .effects(1),
                scenario("the gateway puts itself behind those who forwarded before")
                        .send(
                                CHARGE.header("X-Forwarded-For", "192.0.2.7").header("Forwarded", "for=192.0.2.7"),
                                fresh(201))
                        .upstreamSaw(
                                1,
                                carriedLike("X-Forwarded-For", "192\\.0\\.2\\.7, ?127\\.0\\.0\\.1"),
                                carriedLike("Forwarded", "for=192\\.0\\.2\\.7, ?.*127\\.0\\.0\\.1.*"))
                        .effects(1),
                scenario("nobody outside can claim to be Semel")
                        .send(
                                CHARGE.header("Semel-Fencing-Token", "99999999999")
                                        .header("semel-attempt", "77")
                                        .header("Semel-Outcome", "release")
                                        .header("Semel-Other", "x"),
                                fresh(201))
                        .upstreamSaw(
                                1,
                                attempt(1),
                                carriedLike("Semel-Fencing-Token", "(?!99999999999$)[0-9]+"),
                                notCarried("Semel-Outcome", "Semel-Other"))
                        .effects(1),
                scenario("nobody outside can claim to be Semel, also without a key")
                        .send(charge("/optional/charges").noKey().header("Semel-Fencing-Token", "9"), status(201))
                        .upstreamSaw(1, notCarried("Semel-Fencing-Token", "Semel-Attempt"))
                        .effects(1),
                scenario("hop-by-hop headers of the client end here")
                        .send(
                                CHARGE.header("Connection", "X-Client-Hop, keep-alive")
                                        .header("X-Client-Hop", "1")
                                        .header("Keep-Alive", "timeout=5")
                                        .header("TE", "trailers")
                                        .header("Proxy-Connection", "keep-alive"),
                                fresh(201))
                        .upstreamSaw(1, notCarried("X-Client-Hop", "Keep-Alive", "TE", "Proxy-Connection"))
                        .effects(1),
                scenario("Connection cannot take away what the upstream must get")
                        .send(
                                CHARGE.header("Connection", "Semel-Fencing-Token, Semel-Attempt, Idempotency-Key"),
                                fresh(201))
                        .upstreamSaw(
                                1,
                                attempt(1),
                                carriedLike("Semel-Fencing-Token", "[0-9]+"),
                                carried("Idempotency-Key", "{key}"))
                        .effects(1),
                scenario("everything else passes as it came, repeated headers and credentials included")
                        .send(
                                CHARGE.to("/required/charges?b=%20&a=%2F&&c")
                                        .header("Authorization", "Bearer abc")
                                        .header("Cookie", "a=1; b=2")
                                        .header("X-Twice", "1")
                                        .header("X-Twice", "2")
                                        .header("X-Latin", "caf\u00e9"),
                                fresh(201))
                        .upstreamSaw(
                                1,
                                target("/required/charges?b=%20&a=%2F&&c"),
                                carried("Authorization", "Bearer abc"),
                                carried("Cookie", "a=1; b=2"),
                                carried("X-Twice", "1", "2"),
                                carried("X-Latin", "caf\u00e9"),
                                carried("Content-Type", "application/json"))
                        .effects(1));
    }
}
