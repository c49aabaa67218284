package dev.semel.http.tenant;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unavailable;
import dev.semel.http.tenant.TenantReading.Unknown;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Tells tenants apart by a claim of the token (JWT, RFC 7519) that they send as {@code Authorization: Bearer}. The
 * token must be signed with a key of a JWKS, by an algorithm where who can verify cannot sign.
 *
 * <p>Keys from a file are read here and now, and again when the file changes. Keys from a URL are fetched when a request
 * first needs them, and again every few minutes and for a key id not seen before. While they cannot be had at all, or
 * a token names an unknown key and asking for it fails, the reading is {@link Unavailable}: nobody is let in on a guess.
 */
public final class JwtTenant implements TenantRule {
    private static final int REMEMBERED_TOKENS = 10_000;
    private static final Duration JWKS_TIMEOUT = Duration.ofSeconds(5);

    private final Jwks jwks;
    private final JwtRules rules;
    private final InstantSource clock;
    private final VerifiedTokens verified;

    JwtTenant(Jwks jwks, JwtRules rules, VerifiedTokens verified, InstantSource clock) {
        this.jwks = jwks;
        this.rules = rules;
        this.verified = verified;
        this.clock = clock;
    }

    /** @throws IllegalArgumentException when a file was named that cannot be read or has no key of use */
    public static JwtTenant of(JwksPlace place, JwtRules rules, InstantSource clock) {
        Jwks jwks = switch (place) {
            case JwksPlace.File(var path) -> new JwksFile(path);
            case JwksPlace.Url(var url) -> new JwksUrl(url, JWKS_TIMEOUT, clock);
        };
        return new JwtTenant(jwks, rules, new VerifiedTokens(REMEMBERED_TOKENS), clock);
    }

    @Override
    public TenantReading read(Headers headers) {
        return switch (BearerToken.read(headers)) {
            case BearerToken.Absent(String why) -> new Unknown(why);
            case BearerToken.Present(String token) -> read(token);
        };
    }

    private TenantReading read(String token) {
        try {
            SigningKeys keys = jwks.current();
            Known known = verified.find(token, keys, clock.instant());
            return known != null ? known : verify(token, keys);
        } catch (KeysUnavailableException e) {
            return new Unavailable("The keys to verify bearer tokens with are out of reach. Send the request later.");
        }
    }

    private TenantReading verify(String text, SigningKeys known) throws KeysUnavailableException {
        SignedToken token = SignedToken.parse(text);
        if (token == null) return new Unknown("The bearer token is not a JSON Web Token signed as is required here.");
        SigningKeys keys = known;
        List<PublicKey> candidates = keys.matching(token.header());
        if (candidates.isEmpty()) {
            keys = jwks.lookedForAgain();
            candidates = keys.matching(token.header());
        }
        if (!token.isSignedBy(candidates))
            return new Unknown("The bearer token is not signed with a key that is trusted here.");
        return accept(text, token, keys);
    }

    private TenantReading accept(String text, SignedToken token, SigningKeys keys) {
        JWTClaimsSet claims = token.claims();
        if (claims == null) return new Unknown("The bearer token holds no claims that can be read.");
        TenantReading reading = rules.read(token, claims, clock.instant());
        Instant end = JwtRules.end(claims);
        if (reading instanceof Known tenant && end != null) verified.add(text, tenant, keys, end);
        return reading;
    }

    @Override
    public String toString() {
        return "JwtTenant[" + rules.claim() + "]";
    }
}
