package dev.semel.testkit.http;

import static dev.semel.testkit.http.Expect.absent;
import static dev.semel.testkit.http.Expect.fresh;
import static dev.semel.testkit.http.Expect.header;
import static dev.semel.testkit.http.Expect.member;
import static dev.semel.testkit.http.Expect.otherBodyThan;
import static dev.semel.testkit.http.Expect.present;
import static dev.semel.testkit.http.Expect.problem;
import static dev.semel.testkit.http.Expect.replayOf;
import static dev.semel.testkit.http.Expect.status;
import static dev.semel.testkit.http.RawRequest.charge;
import static dev.semel.testkit.http.RawRequest.get;
import static dev.semel.testkit.http.Scenario.scenario;
import static dev.semel.testkit.http.SetUp.SIGNER;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Clients that are told apart: none sees, blocks or uses what is another's. */
final class TenantScenarios {
    private static final RawRequest CHARGE = charge("/required/charges");
    private static final RawRequest LOOK_UP = get("/.semel/v1/keys/{key}?operation=POST%20/required/charges");
    private static final Expect STALE = problem(409, "stale-write");
    private static final Expect UNKNOWN = problem(401, "tenant-unknown");

    private TenantScenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>(bySecret());
        all.addAll(byMap());
        all.addAll(byToken());
        return all;
    }

    private static List<Scenario> bySecret() {
        RawRequest gate = charge("/required/gate");
        RawRequest write = charge("/ordered/charges/{key}").withMethod("PUT").noKey();
        RawRequest own = write.to("/ordered-by-tenant/charges/{key}");
        Call claim = ServiceCalls.claim(1999);
        return List.of(
                tenants("the same key of two tenants is two keys, whatever they ask for")
                        .send(CHARGE.by("ann"), fresh(201))
                        .send(CHARGE.json("{\"amount\":1}").by("bob"), fresh(201), otherBodyThan(1))
                        .send(CHARGE.by("ann"), replayOf(1))
                        .send(CHARGE.json("{\"amount\":1}").by("bob"), replayOf(2))
                        .effects(2),
                tenants("who does not say who it is gets nothing through and learns nothing")
                        .send(CHARGE.by("ann"), fresh(201))
                        .send(CHARGE, UNKNOWN, present("Idempotency-Expires"), wanted("Header name=\"X-Api-Key\""))
                        .send(CHARGE.header("X-Api-Key", ""), UNKNOWN)
                        .send(CHARGE.by("bob").by("ann"), UNKNOWN)
                        .send(LOOK_UP, UNKNOWN, wanted("Header name=\"X-Api-Key\""))
                        .send(claim, UNKNOWN)
                        .reached(1)
                        .effects(1),
                tenants("what has no key needs no tenant")
                        .send(get("/any/hello"), status(200))
                        .send(charge("/optional/charges").noKey(), status(201), absent("Idempotency-Expires"))
                        .effects(1),
                tenants("a tenant can look up its own keys only")
                        .send(CHARGE.by("ann"), fresh(201))
                        .send(LOOK_UP.by("ann"), status(200), member("state", "\"done\""))
                        .send(LOOK_UP.by("bob"), status(404))
                        .effects(1),
                tenants("a tenant that is at work blocks no other")
                        .start(gate.by("ann"))
                        .arrived(1)
                        .start(gate.by("bob"))
                        .arrived(2)
                        .openGate()
                        .answered(2, fresh(201))
                        .effects(2),
                tenants("a doubt of one tenant is none of another")
                        .send(charge("/required/dies-after").by("ann"), status(502))
                        .send(charge("/required/dies-after").by("ann"), problem(409, "outcome-unknown"))
                        .send(charge("/required/dies-after").by("bob"), status(502))
                        .reached(2)
                        .effects(2),
                tenants("a resource has one order of writes, whoever writes")
                        .send(write.header("If-Match", "9").by("ann"), status(201))
                        .send(write.header("If-Match", "1").by("bob"), STALE)
                        .send(write.header("If-Match", "1").by("ann"), STALE)
                        .send(write.header("If-Match", "10").by("bob"), status(201))
                        .send(write.header("If-Match", "9").by("ann"), STALE)
                        .effects(2),
                tenants("each tenant has its own order of writes where that is configured")
                        .send(own.header("If-Match", "9").by("ann"), status(201))
                        .send(own.header("If-Match", "1").by("bob"), status(201))
                        .send(own.header("If-Match", "1").by("ann"), STALE)
                        .effects(2),
                tenants("a claim of one tenant is nothing to another, nor is its place")
                        .send(ServiceCalls.by("ann", claim), status(201))
                        .send(ServiceCalls.by("bob", claim), status(201))
                        .send(
                                ServiceCalls.by("eve", ServiceCalls.complete(1, "\"stolen\"")),
                                problem(412, "superseded"))
                        .send(ServiceCalls.by("ann", ServiceCalls.complete(1, "\"own\"")), status(200))
                        .send(ServiceCalls.by("bob", claim), problem(409, "in-progress"))
                        .effects(0));
    }

    private static List<Scenario> byMap() {
        RawRequest old = CHARGE.header("X-Api-Key", SetUp.MAPPED_SECRETS.getFirst());
        RawRequest renewed = CHARGE.header("X-Api-Key", SetUp.MAPPED_SECRETS.getLast());
        return List.of(
                mapped("a tenant with a new secret is still who it was")
                        .send(old, fresh(201))
                        .send(renewed, replayOf(1))
                        .send(LOOK_UP.header("X-Api-Key", SetUp.MAPPED_SECRETS.getLast()), status(200))
                        .effects(1),
                mapped("a secret that nobody was given gets nothing through and learns nothing")
                        .send(old, fresh(201))
                        .send(CHARGE.by("made-up"), UNKNOWN, wanted("Header name=\"X-Api-Key\""))
                        .send(LOOK_UP.by("made-up"), UNKNOWN)
                        .send(ServiceCalls.by("made-up", ServiceCalls.claim(1999)), UNKNOWN)
                        .send(CHARGE, UNKNOWN)
                        .reached(1)
                        .effects(1));
    }

    private static Draft mapped(String name) {
        return scenario("tenants by a map: " + name).at(SetUp.MAPPED);
    }

    private static List<Scenario> byToken() {
        List<Scenario> all = new ArrayList<>(List.of(
                tokens("the same key of two subjects is two keys")
                        .send(token(CHARGE, TokenSigner.claims("ann")), fresh(201))
                        .send(token(CHARGE, TokenSigner.claims("bob")), fresh(201), otherBodyThan(1))
                        .send(token(LOOK_UP, TokenSigner.claims("eve")), status(404))
                        .effects(2),
                tokens("with another token a tenant is still who it was")
                        .send(token(CHARGE, TokenSigner.claims("ann")), fresh(201))
                        .send(token(CHARGE, lasting("ann", 1200)), replayOf(1))
                        .effects(1)));
        all.add(refused("none", CHARGE));
        all.add(refused("another scheme", CHARGE.header("Authorization", "Basic YW5uOmFubg==")));
        all.add(refused("nonsense", bearer("nonsense")));
        all.add(refused("no signature", bearer(TokenSigner.unsigned(TokenSigner.claims("ann")))));
        all.add(refused(
                "a stranger's key", bearer(TokenSigner.named(SIGNER.id()).token(TokenSigner.claims("ann")))));
        all.add(refused("one that has ended", token(CHARGE, lasting("ann", -600))));
        all.add(refused("one that never ends", token(CHARGE, "{\"sub\":\"ann\"}")));
        all.add(refused(
                "one for somebody else",
                token(
                        CHARGE,
                        TokenSigner.claims("ann", "invoices", Instant.now().plusSeconds(600)))));
        all.add(refused(
                "one of another issuer",
                token(CHARGE, TokenSigner.claims("ann").replace(TokenSigner.ISSUER, "https://else.example/"))));
        return all;
    }

    private static Scenario refused(String what, RawRequest request) {
        return tokens("a token that is not good: " + what)
                .send(request, UNKNOWN, present("Idempotency-Expires"), wanted("Bearer"))
                .reached(0)
                .effects(0);
    }

    private static Draft tenants(String name) {
        return scenario("tenants: " + name).at(SetUp.TENANTS);
    }

    private static Draft tokens(String name) {
        return scenario("tenants by token: " + name).at(SetUp.TOKENS);
    }

    private static String lasting(String subject, long seconds) {
        return TokenSigner.claims(subject, TokenSigner.AUDIENCE, Instant.now().plusSeconds(seconds));
    }

    private static RawRequest token(RawRequest request, String claims) {
        return request.header("Authorization", "Bearer " + SIGNER.token(claims));
    }

    private static RawRequest bearer(String token) {
        return CHARGE.header("Authorization", "Bearer " + token);
    }

    private static Expect wanted(String challenge) {
        return header("WWW-Authenticate", challenge);
    }
}
