package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unknown;
import dev.semel.testkit.HandClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JwtTenantTest {
    private static final ECKey P256 = TestTokens.ec("p256", Curve.P_256);
    private static final ECKey P384 = TestTokens.ec("p384", Curve.P_384);
    private static final ECKey P521 = TestTokens.ec("p521", Curve.P_521);

    @TempDir
    Path folder;

    private final HandClock clock = new HandClock();
    private final VerifiedTokens verified = new VerifiedTokens(3);
    private JwtTenant rule;

    @BeforeEach
    void trust_four_keys() throws Exception {
        Files.writeString(folder.resolve("jwks.json"), TestTokens.jwks(TestTokens.RSA, P256, P384, P521));
        rule = rule("sub", null, null);
    }

    @Test
    void a_token_of_every_algorithm_tells_its_tenant() {
        for (JWSAlgorithm algorithm : List.of(
                JWSAlgorithm.RS256,
                JWSAlgorithm.RS384,
                JWSAlgorithm.RS512,
                JWSAlgorithm.PS256,
                JWSAlgorithm.PS384,
                JWSAlgorithm.PS512)) known("acme", TestTokens.token(TestTokens.RSA, algorithm, acme().build()));
        for (ECKey key : List.of(P256, P384, P521)) known("acme", TestTokens.token(key, acme().build()));
    }

    @Test
    void the_tenant_is_the_claim_that_was_named() {
        rule = rule("org", null, null);
        known(
                "Ärger & Söhne",
                TestTokens.token(P256, acme().claim("org", "Ärger & Söhne").build()));
        unknown("claim 'org'", TestTokens.token(P256, acme().build()));
    }

    @Test
    void a_claim_that_cannot_be_a_tenant_makes_none() {
        for (Object claim : new Object[] {42, true, List.of("a"), "", "x".repeat(257), "a\0b", "a\nb", "a\u0085b"}) {
            rule = rule("org", null, null);
            unknown(
                    "claim 'org'",
                    TestTokens.token(P256, acme().claim("org", claim).build()));
        }
        known(
                "x".repeat(256),
                TestTokens.token(P256, acme().claim("org", "x".repeat(256)).build()));
    }

    @Test
    void what_is_signed_and_still_makes_no_sense_is_refused() {
        long end = clock.instant().getEpochSecond() + 3600;
        JWSHeader header = new JWSHeader(JWSAlgorithm.ES256);
        for (String payload : List.of("null", "{", "hello", "{\"exp\":\"soon\"}", "[".repeat(5_000)))
            unknown("no claims that can be read", TestTokens.token(P256, header, payload));
        unknown("no time at which it expires", TestTokens.token(P256, header, "[]"));
        String start = "{\"sub\":\"acme\",\"nbf\":\"later\",\"exp\":" + end + "}";
        unknown("no claims that can be read", TestTokens.token(P256, header, start));
        unknown("Unicode", TestTokens.token(P256, header, "{\"sub\":\"\\ud800\",\"exp\":" + end + "}"));
        unknown("not a string", TestTokens.token(P256, header, "{\"sub\":null,\"exp\":" + end + "}"));
    }

    @Test
    void a_subject_that_is_a_number_is_not_the_same_as_its_digits() {
        unknown("claim 'sub'", TestTokens.token(P256, acme().claim("sub", 42).build()));
    }

    @Test
    void a_token_ends_a_minute_after_it_expires_also_when_it_was_verified_before() {
        Instant start = clock.instant();
        String token = TestTokens.token(P256, acme().build());
        known("acme", token);
        clock.advance(Duration.ofSeconds(3659));
        known("acme", token);
        String another = TestTokens.token(P384, claims("acme", start).build());
        known("acme", another);
        clock.advance(Duration.ofSeconds(1));
        unknown("expired", token);
        unknown("expired", another);
    }

    @Test
    void a_token_without_an_end_is_refused() {
        unknown(
                "no time at which it expires",
                TestTokens.token(
                        P256, new JWTClaimsSet.Builder().subject("acme").build()));
    }

    @Test
    void a_token_begins_a_minute_before_it_says() {
        String token = TestTokens.token(
                P256,
                acme().notBeforeTime(Date.from(clock.instant().plusSeconds(120)))
                        .build());
        clock.advance(Duration.ofSeconds(59));
        unknown("not valid yet", token);
        clock.advance(Duration.ofSeconds(1));
        known("acme", token);
    }

    @Test
    void issuer_and_audience_matter_when_they_are_set() {
        JWTClaimsSet right =
                acme().issuer("https://id").audience(List.of("other", "semel")).build();
        rule = rule("sub", "https://id", "semel");
        known("acme", TestTokens.token(P256, right));
        known(
                "acme",
                TestTokens.token(
                        P256, acme().issuer("https://id").audience("semel").build()));
        unknown(
                "another issuer",
                TestTokens.token(
                        P256, acme().issuer("https://id/").audience("semel").build()));
        unknown(
                "another issuer",
                TestTokens.token(P256, acme().audience("semel").build()));
        unknown(
                "another audience",
                TestTokens.token(
                        P256, acme().issuer("https://id").audience("other").build()));
        unknown(
                "another audience",
                TestTokens.token(P256, acme().issuer("https://id").build()));
    }

    @Test
    void an_unsigned_token_is_refused_with_and_without_a_signature() {
        String head = TestTokens.base64("{\"alg\":\"none\"}");
        String payload = TestTokens.token(P256, acme().build()).split("\\.")[1];
        unknown("signed", head + "." + payload + ".");
        unknown("signed", head + "." + payload + ".AAAA");
        unknown("signed", TestTokens.base64("{\"alg\":\"None\",\"kid\":\"p256\"}") + "." + payload + ".AAAA");
    }

    @Test
    void a_public_key_is_not_a_secret_to_sign_with() throws Exception {
        for (byte[] secret : List.of(
                TestTokens.RSA.toPublicKey().getEncoded(),
                TestTokens.RSA.toPublicJWK().toJSONString().getBytes(UTF_8),
                TestTokens.RSA.getModulus().decode())) {
            JWSHeader header =
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build();
            SignedJWT jwt = new SignedJWT(header, acme().build());
            jwt.sign(new MACSigner(secret));
            unknown("not a JSON Web Token signed", jwt.serialize());
        }
    }

    @Test
    void a_key_that_the_token_brings_along_is_not_trusted() {
        ECKey own = TestTokens.ec("p256", Curve.P_256);
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .jwk(own.toPublicJWK())
                .keyID("p256")
                .build();
        unknown("trusted", TestTokens.token(own, header, acme().build()));
    }

    @Test
    void a_token_that_was_changed_is_refused() {
        String[] parts = TestTokens.token(TestTokens.RSA, acme().build()).split("\\.");
        String[] other = TestTokens.token(
                        TestTokens.RSA, claims("evil", clock.instant()).build())
                .split("\\.");
        unknown("trusted", parts[0] + "." + other[1] + "." + parts[2]);
        unknown("trusted", parts[0] + "." + parts[1] + "." + other[2]);
        unknown("trusted", parts[0] + "." + parts[1] + "." + parts[2].substring(4));
        known("acme", String.join(".", parts));
        unknown("trusted", parts[0] + "." + other[1] + "." + parts[2]);
    }

    @Test
    void a_signature_of_zeros_is_refused() {
        String[] parts = TestTokens.token(P256, acme().build()).split("\\.");
        unknown("trusted", parts[0] + "." + parts[1] + "." + TestTokens.base64(new byte[64]));
    }

    @Test
    void a_token_without_a_key_id_is_tried_with_every_key_that_fits() {
        known("acme", TestTokens.token(P384, new JWSHeader(JWSAlgorithm.ES384), acme().build()));
        unknown(
                "trusted",
                TestTokens.token(TestTokens.ec("x", Curve.P_384), new JWSHeader(JWSAlgorithm.ES384), acme().build()));
    }

    @Test
    void access_tokens_are_taken_and_tokens_for_other_ends_are_not() {
        for (String type : List.of("JWT", "jwt", "at+jwt", "application/at+jwt")) known("acme", typed(type));
        for (String type : List.of("logout+jwt", "dpop+jwt", "JOSE")) unknown("signed as is required", typed(type));
    }

    private String typed(String type) {
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(new JOSEObjectType(type))
                .build();
        return TestTokens.token(P256, header, acme().build());
    }

    @Test
    void a_token_that_demands_to_be_understood_in_some_other_way_is_refused() {
        JWSHeader critical = new JWSHeader.Builder(JWSAlgorithm.ES256)
                .criticalParams(Set.of("exp"))
                .customParam("exp", 1)
                .build();
        unknown("signed as is required", TestTokens.token(P256, critical, acme().build()));
    }

    @Test
    void the_scheme_has_no_case_and_other_schemes_are_no_token() {
        String token = TestTokens.token(P256, acme().build());
        for (String scheme : List.of("Bearer ", "bearer ", "BEARER  "))
            assertEquals(new Known("j:acme"), rule.read(authorization(scheme + token)));
        for (String value : List.of("Basic " + token, token, "Bearer", "Bearer ", "Bearer" + token, "Bearer a b", ""))
            assertInstanceOf(Unknown.class, rule.read(authorization(value)), value);
    }

    @Test
    void a_request_without_or_with_two_authorizations_is_nobodys() {
        String token = TestTokens.token(P256, acme().build());
        Unknown none = assertInstanceOf(Unknown.class, rule.read(Headers.NONE));
        assertTrue(none.why().contains("missing"), none.why());
        Headers twice = TestTokens.bearer(token).with("authorization", "Bearer " + token);
        Unknown two = assertInstanceOf(Unknown.class, rule.read(twice));
        assertTrue(two.why().contains("2 times"), two.why());
    }

    @Test
    void a_token_of_a_hundred_kilobytes_is_not_looked_at() {
        unknown(
                "too long",
                TestTokens.token(P256, acme().claim("fill", "x".repeat(75_000)).build()));
    }

    @Test
    void a_token_that_was_verified_is_not_verified_again() {
        String token = TestTokens.token(P256, acme().build());
        known("acme", token);
        known("acme", token);
        assertEquals(1, verified.size());
        String neverSigned = "a.b.c";
        SigningKeys keys = jwks().current();
        rule = new JwtTenant(new Always(keys), new JwtRules("sub", null, null), verified, clock);
        verified.add(
                neverSigned, new Known("j:remembered"), keys, clock.instant().plusSeconds(1));
        known("remembered", neverSigned);
        clock.advance(Duration.ofSeconds(1));
        unknown("signed", neverSigned);
    }

    private record Always(SigningKeys current) implements Jwks {
        @Override
        public SigningKeys lookedForAgain() {
            return current;
        }
    }

    @Test
    void what_is_refused_is_not_remembered_and_what_is_remembered_is_bounded() {
        for (int i = 0; i < 5; i++) {
            unknown("trusted", TestTokens.token(TestTokens.ec("p256", Curve.P_256), acme().build()));
            known("acme", TestTokens.token(P256, acme().jwtID("" + i).build()));
        }
        assertEquals(3, verified.size());
    }

    @Test
    void nothing_of_a_token_shows_in_what_can_be_printed() {
        String token = TestTokens.token(P256, acme().build());
        assertFalse(BearerToken.read(TestTokens.bearer(token)).toString().contains(token.substring(0, 20)));
        assertEquals("JwtTenant[sub]", rule.toString());
    }

    @Test
    void a_claim_needs_a_name() {
        assertThrows(IllegalArgumentException.class, () -> new JwtRules("", null, null));
    }

    private JwtTenant rule(String claim, @Nullable String issuer, @Nullable String audience) {
        return new JwtTenant(jwks(), new JwtRules(claim, issuer, audience), verified, clock);
    }

    private JwksFile jwks() {
        return new JwksFile(folder.resolve("jwks.json"));
    }

    private JWTClaimsSet.Builder acme() {
        return claims("acme", clock.instant());
    }

    private static JWTClaimsSet.Builder claims(String subject, Instant now) {
        return TestTokens.claims(subject, now);
    }

    private static Headers authorization(String value) {
        return Headers.NONE.with("Authorization", value);
    }

    private void known(String tenant, String token) {
        assertEquals(new Known("j:" + tenant), rule.read(TestTokens.bearer(token)));
    }

    private void unknown(String why, String token) {
        Unknown unknown = assertInstanceOf(Unknown.class, rule.read(TestTokens.bearer(token)));
        assertTrue(unknown.why().contains(why), unknown.why());
        for (String part : token.split("\\."))
            assertFalse(part.length() > 3 && unknown.why().contains(part), unknown.why());
    }
}
