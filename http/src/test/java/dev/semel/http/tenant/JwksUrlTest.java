package dev.semel.http.tenant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unavailable;
import dev.semel.http.tenant.TenantReading.Unknown;
import dev.semel.testkit.HandClock;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JwksUrlTest {
    private static final JWK OLD = TestTokens.ec("old", Curve.P_256);
    private static final JWK NEW = TestTokens.ec("new", Curve.P_256);

    private final HandClock clock = new HandClock();
    private JwksServer server;
    private TenantRule rule;

    @BeforeEach
    void start() throws Exception {
        server = JwksServer.serving(TestTokens.jwks(OLD));
        rule = rule(server.url(), Duration.ofSeconds(20));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void keys_are_fetched_when_first_needed_and_then_kept() {
        assertEquals(0, server.fetches());
        for (int i = 0; i < 3; i++) assertInstanceOf(Known.class, read(OLD));
        assertEquals(1, server.fetches());
    }

    @Test
    void what_is_no_token_at_all_fetches_nothing() {
        assertInstanceOf(Unknown.class, rule.read(TestTokens.bearer("garbage")));
        assertEquals(0, server.fetches());
    }

    @Test
    void a_public_place_can_be_named_as_text() {
        JwksPlace place = JwksPlace.parse(server.url().toString());
        TenantRule named = JwtTenant.of(place, new JwtRules("sub", null, null), clock);
        assertInstanceOf(Known.class, named.read(TestTokens.bearer(token(OLD))));
    }

    @Test
    void keys_that_are_served_again_are_the_same() throws Exception {
        JwksUrl jwks = new JwksUrl(server.url(), Duration.ofSeconds(20), clock);
        SigningKeys keys = jwks.current();
        clock.advance(JwksUrl.MAX_AGE);
        assertSame(keys, jwks.current());
        assertEquals(2, server.fetches());
    }

    @Test
    void a_redirect_is_followed() {
        rule = rule(server.at("/moved"), Duration.ofSeconds(20));
        assertInstanceOf(Known.class, read(OLD));
    }

    @Test
    void a_key_not_seen_before_is_asked_for_but_not_more_often_than_every_ten_seconds() {
        assertInstanceOf(Known.class, read(OLD));
        server.serve(TestTokens.jwks(OLD, NEW));
        clock.advance(Duration.ofSeconds(9));
        assertInstanceOf(Unknown.class, read(NEW));
        assertEquals(1, server.fetches());
        clock.advance(Duration.ofSeconds(1));
        assertInstanceOf(Known.class, read(NEW));
        assertEquals(2, server.fetches());
        JWK strange = TestTokens.ec("strange", Curve.P_256);
        clock.advance(Duration.ofSeconds(10));
        for (int i = 0; i < 5; i++) assertInstanceOf(Unknown.class, read(strange));
        assertEquals(3, server.fetches());
    }

    @Test
    void many_who_need_a_new_key_at_once_cause_one_fetch() throws Exception {
        assertInstanceOf(Known.class, read(OLD));
        server.serve(TestTokens.jwks(OLD, NEW));
        clock.advance(Duration.ofSeconds(10));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<TenantReading>> reads = new ArrayList<>();
            for (int i = 0; i < 50; i++) reads.add(() -> read(NEW));
            for (Future<TenantReading> reading : threads.invokeAll(reads)) assertInstanceOf(Known.class, reading.get());
        }
        assertEquals(2, server.fetches());
    }

    @Test
    void a_key_that_was_withdrawn_is_forgotten_with_the_tokens_it_verified() {
        String token = token(OLD);
        assertInstanceOf(Known.class, rule.read(TestTokens.bearer(token)));
        server.serve(TestTokens.jwks(NEW));
        clock.advance(JwksUrl.MAX_AGE.minusSeconds(1));
        assertInstanceOf(Known.class, rule.read(TestTokens.bearer(token)));
        clock.advance(Duration.ofSeconds(1));
        assertInstanceOf(Unknown.class, rule.read(TestTokens.bearer(token)));
    }

    @Test
    void the_last_good_keys_serve_while_their_server_does_not() {
        assertInstanceOf(Known.class, read(OLD));
        server.status(500);
        for (int i = 0; i < 3; i++) {
            clock.advance(JwksUrl.MAX_AGE);
            assertInstanceOf(Known.class, read(OLD));
            assertInstanceOf(Known.class, read(OLD));
        }
        assertEquals(4, server.fetches());
        server.status(200);
        server.serve(TestTokens.jwks(NEW));
        clock.advance(JwksUrl.RETRY_INTERVAL);
        assertInstanceOf(Unknown.class, read(OLD));
        assertInstanceOf(Known.class, read(NEW));
    }

    @Test
    void a_server_that_serves_no_keys_leaves_the_last_good_ones_in_use() {
        assertInstanceOf(Known.class, read(OLD));
        for (String bad : List.of("", "{}", "{\"keys\":[]}", "<html>", "[".repeat(200_000), "x".repeat(300_000))) {
            server.serve(bad);
            clock.advance(JwksUrl.MAX_AGE);
            assertInstanceOf(Known.class, read(OLD));
        }
        assertEquals(7, server.fetches());
    }

    @Test
    void nobody_can_tell_about_an_unknown_key_while_the_server_is_out_of_reach() {
        assertInstanceOf(Known.class, read(OLD));
        server.status(503);
        clock.advance(JwksUrl.RETRY_INTERVAL);
        assertInstanceOf(Unavailable.class, read(NEW));
        assertInstanceOf(Unavailable.class, read(NEW));
        assertInstanceOf(Known.class, read(OLD));
        assertEquals(2, server.fetches());
    }

    @Test
    void without_any_keys_nobody_is_let_in_until_the_server_is_back() {
        server.status(404);
        assertInstanceOf(Unavailable.class, read(OLD));
        assertInstanceOf(Unavailable.class, read(OLD));
        assertEquals(1, server.fetches());
        server.status(200);
        clock.advance(JwksUrl.RETRY_INTERVAL);
        assertInstanceOf(Known.class, read(OLD));
    }

    @Test
    void a_server_that_is_not_there_is_out_of_reach() {
        server.close();
        assertInstanceOf(Unavailable.class, read(OLD));
    }

    @Test
    void an_answer_that_never_ends_is_given_up() {
        server.stick();
        rule = rule(server.url(), Duration.ofMillis(300));
        assertInstanceOf(Unavailable.class, read(OLD));
        assertEquals(1, server.fetches());
    }

    @Test
    void an_answer_that_is_too_large_is_given_up() {
        String padding = " ".repeat(SigningKeys.MAX_JWKS_BYTES);
        server.serve(TestTokens.jwks(OLD) + padding);
        assertInstanceOf(Unavailable.class, read(OLD));
    }

    private TenantRule rule(URI url, Duration patience) {
        JwksUrl jwks = new JwksUrl(url, patience, clock);
        return new JwtTenant(jwks, new JwtRules("sub", null, null), new VerifiedTokens(100), clock);
    }

    private TenantReading read(JWK key) {
        return rule.read(TestTokens.bearer(token(key)));
    }

    private String token(JWK key) {
        return TestTokens.token(key, TestTokens.claims("acme", clock.instant()).build());
    }
}
