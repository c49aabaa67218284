package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.HttpMessage.Field;
import dev.semel.testkit.http.TokenSigner;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tenants told apart by their tokens, from an identity provider's JWKS to the keys of each. */
class JwtTenantsTest {
    private static final String STATUS = "/.semel/v1/keys/%s?operation=POST%%20/v1/orders";

    private static IdentityProvider provider;
    private static CountingUpstream upstream;
    private static OpenStore store;
    private static GatewayProcess gateway;

    @BeforeAll
    static void start() throws Exception {
        provider = IdentityProvider.start();
        upstream = CountingUpstream.start();
        store = OpenStore.Kind.ROCKSDB.open();
        gateway = GatewayProcess.start(store.url(), upstream.url(), store.write("semel.yml", """
            tenant: { jwt-claim: sub, jwks: "%s", issuer: "%s", audience: %s }
            """.formatted(
                        provider.jwks(), TokenSigner.ISSUER, TokenSigner.AUDIENCE)));
    }

    @AfterAll
    static void stop() throws Exception {
        if (gateway != null) gateway.close();
        if (store != null) store.close();
        if (upstream != null) upstream.close();
        if (provider != null) provider.close();
    }

    private static Field bearer(String token) {
        return new Field("Authorization", "Bearer " + token);
    }

    private static Field tokenOf(String subject) {
        return bearer(provider.signer().token(TokenSigner.claims(subject)));
    }

    private static Answer order(String key, Field... more) throws IOException {
        return Client.order(gateway.port(), key, more);
    }

    @Test
    void two_tenants_with_the_same_key_never_meet() throws Exception {
        Answer ann = order("same", tokenOf("ann"));
        Answer bob = order("same", tokenOf("bob"));
        assertEquals(201, ann.status(), ann.text());
        assertEquals(201, bob.status(), bob.text());
        assertFalse(bob.isReplay());
        assertNotEquals(ann.text(), bob.text());
        Answer again = order("same", tokenOf("ann"));
        assertTrue(again.isReplay());
        assertEquals(ann.essence(), again.essence());
        assertEquals(bob.essence(), order("same", tokenOf("bob")).essence());
        assertEquals(2, upstream.effects("same"));
    }

    @Test
    void nobody_can_look_up_the_key_of_another() throws Exception {
        Answer ann = order("looked-up", tokenOf("ann"));
        String status = STATUS.formatted("looked-up");
        Answer own = Client.get(gateway.port(), status, tokenOf("ann"));
        assertEquals(200, own.status(), own.text());
        assertTrue(own.text().contains("\"state\":\"done\""), own.text());
        Answer other = Client.get(gateway.port(), status, tokenOf("bob"));
        assertEquals(404, other.status(), other.text());
        assertFalse(other.text().contains(ann.text()));
        assertEquals("401 tenant-unknown", Client.get(gateway.port(), status).summary());
    }

    @Test
    void who_shows_no_good_token_gets_nothing_through() throws Exception {
        TokenSigner stranger = TokenSigner.named(provider.signer().id());
        String good = provider.signer().token(TokenSigner.claims("ann"));
        String late =
                TokenSigner.claims("ann", TokenSigner.AUDIENCE, Instant.now().minusSeconds(600));
        String others = TokenSigner.claims("ann", "invoices", Instant.now().plusSeconds(600));
        String forged = TokenSigner.claims("ann").replace(TokenSigner.ISSUER, "https://else.example/");
        List<Field> bad = List.of(
                new Field("X-No-Token", "at all"),
                new Field("Authorization", "Basic YW5uOmFubg=="),
                bearer("nonsense"),
                bearer(stranger.token(TokenSigner.claims("ann"))),
                bearer(good.substring(0, good.lastIndexOf('.') + 1)),
                bearer(provider.signer().token(late)),
                bearer(provider.signer().token(others)),
                bearer(provider.signer().token(forged)),
                bearer(provider.signer().token("{\"sub\":\"ann\"}")),
                bearer(TokenSigner.unsigned(TokenSigner.claims("ann"))));
        for (int i = 0; i < bad.size(); i++) {
            Answer refused = order("refused-" + i, bad.get(i));
            assertEquals("401 tenant-unknown", refused.summary(), bad.get(i).toString());
            assertNotEquals("", refused.header("Idempotency-Expires"), "says how long outcomes are kept");
            assertEquals(0, upstream.effects("refused-" + i), bad.get(i).toString());
        }
        assertEquals(201, order("refused-0", bearer(good)).status());
        assertFalse(gateway.process().errorSoFar().contains(good), "a token is in the log");
    }

    @Test
    void a_new_key_of_the_provider_is_picked_up_and_the_old_one_ends() throws Exception {
        Field before = tokenOf("ann");
        Answer first = order("rotated", before);
        assertEquals(201, first.status(), first.text());
        TokenSigner old = provider.signer();
        TokenSigner fresh = provider.rotate("second");
        Field after = bearer(fresh.token(TokenSigner.claims("ann")));
        // The gateway does not ask the provider again within ten seconds.
        Await.until(
                "the new key is known", () -> !order("rotated", after).summary().equals("401 tenant-unknown"));
        Answer replay = order("rotated", after);
        assertTrue(replay.isReplay(), replay.text());
        assertEquals(first.essence(), replay.essence(), "a tenant stays who it is");
        assertEquals("401 tenant-unknown", order("withdrawn", before).summary());
        assertEquals(
                "401 tenant-unknown",
                order("withdrawn", bearer(old.token(TokenSigner.claims("ann")))).summary());
        assertEquals(0, upstream.effects("withdrawn"));
        assertEquals(1, upstream.effects("rotated"));
    }
}
