package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.absent;
import static dev.semel.testkit.http.Expect.body;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.headerCount;
import static dev.semel.testkit.http.Expect.present;
import static dev.semel.testkit.http.Expect.replay;
import static dev.semel.testkit.http.Expect.sameBodyAs;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.post;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.Sight.bodyIs;

import java.util.ArrayList;
import java.util.List;

/** A replay is the first answer again: same status, same end-to-end headers, same bytes. */
final class ReplayScenarios {
    private static final RawRequest CHARGE = charge("/required/charges");
    private static final byte[] BINARY = Bytes.made(64 * 1024);
    private static final byte[] LARGE = Bytes.made(8 * 1024 * 1024);

    private ReplayScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(headers());
        all.addAll(bodies());
        all.addAll(framings());
        return all;
    }

    private static List<Scenario> headers() {
        return List.of(
                scenario("a retry gets the first answer, however often it asks")
                        .send(CHARGE, fresh(201))
                        .send(CHARGE, replay())
                        .send(CHARGE, replay())
                        .send(CHARGE, replay())
                        .reached(1)
                        .effects(1),
                scenario("end-to-end headers reach the client, fresh and replayed")
                        .send(CHARGE, fresh(201), present("Location"), present("ETag"), header("X-Cost", "42"))
                        .send(CHARGE, replay(), header("X-Step", "one", "two"), header("X-Cost", "42"))
                        .effects(1),
                scenario("a cookie is for the first caller only")
                        .send(CHARGE, fresh(201), present("Set-Cookie"))
                        .send(CHARGE, replay(), absent("Set-Cookie"))
                        .effects(1),
                scenario("hop-by-hop headers are neither passed on nor kept, also those that Connection names")
                        .send(CHARGE, fresh(201), absent("X-Hop", "Keep-Alive"))
                        .send(CHARGE, replay(), absent("X-Hop", "Keep-Alive"))
                        .effects(1),
                scenario("headers that carry secrets are not kept")
                        .send(charge("/required/odd-headers"), fresh(200), present("WWW-Authenticate"))
                        .send(charge("/required/odd-headers"), replay(), absent("WWW-Authenticate", "Authorization"))
                        .effects(1),
                scenario("empty, long, repeated and Latin-1 header values survive")
                        .send(charge("/required/odd-headers"), fresh(200))
                        .send(
                                charge("/required/odd-headers"),
                                replay(),
                                header("X-Empty", ""),
                                header("X-Latin", "caf\u00e9"),
                                header("X-Comma", "a, b", "c"),
                                header("X-Long", "l".repeat(6000)))
                        .effects(1),
                scenario("an upstream that speaks of replays itself is not taken for Semel")
                        .send(charge("/required/imitates"), fresh(201), headerCount("Idempotency-Expires", 1))
                        .send(charge("/required/imitates"), replay(), headerCount("Idempotency-Expires", 1))
                        .effects(1),
                scenario("an interim answer of the upstream is not the answer")
                        .send(charge("/required/hints"), fresh(201))
                        .send(charge("/required/hints"), replay())
                        .effects(1));
    }

    private static List<Scenario> bodies() {
        RawRequest binary = post("/required/binary").key("{key}").body("application/octet-stream", BINARY);
        RawRequest large = post("/large/binary").key("{key}").body("application/octet-stream", LARGE);
        RawRequest empty = post("/required/binary").key("{key}");
        return List.of(
                scenario("binary bodies survive both ways")
                        .send(binary, fresh(200), body(BINARY))
                        .send(binary, replay())
                        .upstreamSaw(1, bodyIs(BINARY))
                        .effects(1),
                scenario("8 MiB survive both ways, where the limits allow it")
                        .send(large, fresh(200), body(LARGE))
                        .send(large, replay())
                        .upstreamSaw(1, bodyIs(LARGE))
                        .effects(1),
                scenario("empty bodies survive both ways")
                        .send(empty, fresh(200), body(""))
                        .send(empty, replay())
                        .effects(1),
                scenario("a POST without a body and without a length has a key like any other")
                        .send(
                                new RawRequest("POST", "/required/charges", Fields.NONE, null, 0).key("{key}"),
                                fresh(201))
                        .send(empty.to("/required/charges"), replay())
                        .effects(1),
                scenario("204 survives")
                        .send(charge("/required/status/204"), fresh(204), body(""))
                        .send(charge("/required/status/204"), replay())
                        .effects(1),
                scenario("a compressed body is replayed compressed")
                        .send(
                                charge("/required/gzip").header("Accept-Encoding", "gzip"),
                                fresh(201),
                                header("Content-Encoding", "gzip"))
                        .send(charge("/required/gzip").header("Accept-Encoding", "gzip"), replay())
                        .effects(1));
    }

    private static List<Scenario> framings() {
        byte[] mebibyte = Bytes.made(1024 * 1024);
        RawRequest early = post("/large/early").key("{key}").body("application/octet-stream", mebibyte);
        return List.of(
                scenario("a chunked answer is kept whole")
                        .send(charge("/required/chunked"), fresh(201))
                        .send(charge("/required/chunked"), replay())
                        .effects(1),
                scenario("an answer that ends with its connection is kept whole")
                        .send(charge("/required/until-close"), fresh(201))
                        .send(charge("/required/until-close"), replay())
                        .effects(1),
                scenario("an answer that comes before the body was read is kept whole")
                        .send(early, fresh(201))
                        .send(early, replay())
                        .effects(1),
                scenario("a chunked request is the same as one with a length")
                        .send(CHARGE.inChunksOf(3), fresh(201))
                        .send(CHARGE, replay())
                        .upstreamSaw(1, bodyIs(Bytes.utf8("{\"amount\":1250,\"currency\":\"EUR\"}")))
                        .effects(1),
                scenario("headers that are not part of the operation do not matter")
                        .send(CHARGE.header("User-Agent", "one").header("X-Trace", "1"), fresh(201))
                        .send(CHARGE.header("User-Agent", "two").header("Accept", "*/*"), replay())
                        .effects(1),
                scenario("PATCH and POST take a key also where no route says so")
                        .send(charge("/unlisted/charges"), fresh(201))
                        .send(charge("/unlisted/charges"), replay())
                        .send(charge("/unlisted/charges").withMethod("PATCH").key("{key}-2"), status(201))
                        .send(
                                charge("/unlisted/charges").withMethod("PATCH").key("{key}-2"),
                                sameBodyAs(3),
                                header("Idempotent-Replayed", "true"))
                        .effects(2));
    }
}
