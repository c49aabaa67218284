package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.semel.http.Headers;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;

/** Keys and tokens as an identity provider makes them. */
final class TestTokens {
    /** Making a large key is slow; one for all tests will do. */
    static final RSAKey RSA = rsa("rsa-1", 2048);

    private TestTokens() {}

    static RSAKey rsa(String id, int bits) {
        try {
            return new RSAKeyGenerator(bits, true).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static ECKey ec(String id, Curve curve) {
        try {
            return new ECKeyGenerator(curve).keyID(id).generate();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static String jwks(JWK... keys) {
        return new JWKSet(List.of(keys)).toString();
    }

    /** Claims of a token for this subject, good for an hour from then on. */
    static JWTClaimsSet.Builder claims(String subject, Instant now) {
        return new JWTClaimsSet.Builder().subject(subject).expirationTime(Date.from(now.plusSeconds(3600)));
    }

    static String token(JWK key, JWTClaimsSet claims) {
        return token(key, key instanceof ECKey ec ? algorithm(ec) : JWSAlgorithm.RS256, claims);
    }

    private static JWSAlgorithm algorithm(ECKey key) {
        if (key.getCurve().equals(Curve.P_256)) return JWSAlgorithm.ES256;
        return key.getCurve().equals(Curve.P_384) ? JWSAlgorithm.ES384 : JWSAlgorithm.ES512;
    }

    static String token(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) {
        return token(key, new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims);
    }

    static String token(JWK key, JWSHeader header, JWTClaimsSet claims) {
        return token(key, header, claims.toString());
    }

    /** Signed properly, whatever the payload. */
    static String token(JWK key, JWSHeader header, String payload) {
        try {
            JWSSigner signer = key instanceof ECKey ec ? new ECDSASigner(ec) : new RSASSASigner((RSAKey) key);
            JWSObject token = new JWSObject(header, new Payload(payload));
            token.sign(signer);
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    static String base64(String text) {
        return base64(text.getBytes(UTF_8));
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static Headers bearer(String token) {
        return Headers.NONE.with("Authorization", "Bearer " + token);
    }
}
