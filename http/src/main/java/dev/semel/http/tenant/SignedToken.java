package dev.semel.http.tenant;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.security.PublicKey;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A token whose head could be read. Its claims are a stranger's words until {@link #isSignedBy} says yes. */
final class SignedToken {
    /** Only where who verifies cannot also sign. Ed25519 is not among them: the library needs another one for it. */
    static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    /** Other types are made for other ends, such as a logout, and signed with the same keys. */
    private static final Set<JOSEObjectType> TYPES =
            Set.of(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"));

    private final SignedJWT jwt;

    private SignedToken(SignedJWT jwt) {
        this.jwt = jwt;
    }

    /** The token, or null when it is no signed token of a kind that is taken here. */
    static @Nullable SignedToken parse(String token) {
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            return isTaken(jwt.getHeader()) ? new SignedToken(jwt) : null;
        } catch (ParseException | RuntimeException e) {
            // The parser works on whatever strangers send; how it stumbles must not become our failure.
            return null;
        }
    }

    private static boolean isTaken(JWSHeader header) {
        boolean known = ALGORITHMS.contains(header.getAlgorithm())
                && (header.getType() == null || TYPES.contains(header.getType()));
        return known && header.getCriticalParams() == null && header.isBase64URLEncodePayload();
    }

    JWSHeader header() {
        return jwt.getHeader();
    }

    boolean isSignedBy(List<PublicKey> candidates) {
        DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();
        for (PublicKey key : candidates) {
            try {
                if (jwt.verify(verifiers.createJWSVerifier(jwt.getHeader(), key))) return true;
            } catch (JOSEException | RuntimeException e) {
                // Not signed with this one; the next may do.
            }
        }
        return false;
    }

    /** What the token says, or null when that is not a set of claims. */
    @Nullable
    JWTClaimsSet claims() {
        try {
            return jwt.getJWTClaimsSet();
        } catch (ParseException | RuntimeException e) {
            return null;
        }
    }

    /** A claim as it stands: the library turns a subject that is a number into a string. */
    @Nullable
    Object rawClaim(String name) {
        Map<String, Object> all = jwt.getPayload().toJSONObject();
        return all == null ? null : all.get(name);
    }
}
