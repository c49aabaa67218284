package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unknown;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/**
 * What a token must say to be taken. It must also have an end ({@code exp}) that is not past and, if it has a beginning
 * ({@code nbf}), one that is not to come; clocks may be {@link #SKEW} apart.
 *
 * @param claim the name of the claim whose value, a string of 1 to 256 characters, is the tenant
 * @param issuer what {@code iss} must be; null when it does not matter
 * @param audience what {@code aud} must be or hold; null when it does not matter
 */
public record JwtRules(
        String claim, @Nullable String issuer, @Nullable String audience) {
    public static final Duration SKEW = Duration.ofSeconds(60);
    public static final int MAX_TENANT_LENGTH = 256;

    public JwtRules {
        if (claim.isEmpty()) throw new IllegalArgumentException("The claim that names the tenant needs a name.");
    }

    /** When a token that says this is no longer taken; null when it says no end, and so is never taken. */
    static @Nullable Instant end(JWTClaimsSet claims) {
        Date end = claims.getExpirationTime();
        return end == null ? null : end.toInstant().plus(SKEW);
    }

    /** Whose token it is. The signature must have been verified before. */
    TenantReading read(SignedToken token, JWTClaimsSet claims, Instant now) {
        Instant end = end(claims);
        if (end == null) return new Unknown("The bearer token has no time at which it expires.");
        if (!now.isBefore(end)) return new Unknown("The bearer token has expired.");
        Date start = claims.getNotBeforeTime();
        if (start != null && now.isBefore(start.toInstant().minus(SKEW)))
            return new Unknown("The bearer token is not valid yet.");
        if (issuer != null && !issuer.equals(claims.getIssuer()))
            return new Unknown("The bearer token is from another issuer than the one trusted here.");
        if (audience != null && !claims.getAudience().contains(audience))
            return new Unknown("The bearer token is meant for another audience.");
        return tenant(token.rawClaim(claim));
    }

    private TenantReading tenant(@Nullable Object value) {
        if (!(value instanceof String name)) return unfit("is missing or not a string");
        if (name.isEmpty() || name.length() > MAX_TENANT_LENGTH)
            return unfit("does not have 1 to " + MAX_TENANT_LENGTH + " characters");
        if (name.chars().anyMatch(Character::isISOControl)) return unfit("holds a control character");
        if (!new String(name.getBytes(UTF_8), UTF_8).equals(name)) return unfit("is not well-formed Unicode");
        return new Known("j:" + name);
    }

    private Unknown unfit(String what) {
        return new Unknown(
                "The claim '" + claim + "' of the bearer token, which tells whose request this is, " + what + ".");
    }
}
