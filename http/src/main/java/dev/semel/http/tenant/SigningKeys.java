package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import java.io.IOException;
import java.security.PublicKey;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The public keys of one JWKS (RFC 7517) that a signature may rest on. Immutable. */
final class SigningKeys {
    /** Enough for hundreds of keys. */
    static final int MAX_JWKS_BYTES = 256 * 1024;

    private static final int MIN_RSA_BITS = 2048;
    private static final Set<Curve> CURVES = Set.of(Curve.P_256, Curve.P_384, Curve.P_521);

    private final List<JWK> keys;

    private SigningKeys(List<JWK> keys) {
        this.keys = keys;
    }

    /** @throws IOException when this is no JWKS, or none of its keys is of use; never repeats what it read */
    static SigningKeys parse(byte[] jwks) throws IOException {
        if (jwks.length > MAX_JWKS_BYTES) throw new IOException("it has more than " + MAX_JWKS_BYTES + " bytes");
        List<JWK> usable = new ArrayList<>();
        for (JWK key : all(jwks)) if (isUsable(key)) usable.add(key.toPublicJWK());
        if (usable.isEmpty())
            throw new IOException("it has no RSA key of 2,048 bits or more and no EC key to verify signatures with");
        return new SigningKeys(List.copyOf(usable));
    }

    private static List<JWK> all(byte[] jwks) throws IOException {
        try {
            return JWKSet.parse(new String(jwks, UTF_8)).getKeys();
        } catch (ParseException | RuntimeException e) {
            // Without the cause, which may quote a private key.
            throw new IOException("it is not a JSON Web Key Set");
        }
    }

    private static boolean isUsable(JWK key) {
        boolean strong = (key instanceof RSAKey rsa && rsa.size() >= MIN_RSA_BITS)
                || (key instanceof ECKey ec && CURVES.contains(ec.getCurve()));
        return strong
                && (key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE))
                && (key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY))
                && (key.getAlgorithm() == null || SignedToken.ALGORITHMS.contains(key.getAlgorithm()));
    }

    /** The keys that a token with this head may be signed with; none when its key id is unknown. */
    List<PublicKey> matching(JWSHeader header) {
        JWKMatcher matcher = JWKMatcher.forJWSHeader(header);
        List<PublicKey> matching = new ArrayList<>();
        for (JWK key : keys) if (matcher.matches(key)) addTo(matching, key);
        return matching;
    }

    private static void addTo(List<PublicKey> matching, JWK key) {
        try {
            matching.add(((AsymmetricJWK) key).toPublicKey());
        } catch (JOSEException e) {
            // Numbers that make no key match nothing.
        }
    }

    boolean areThoseOf(SigningKeys other) {
        return keys.equals(other.keys);
    }
}
