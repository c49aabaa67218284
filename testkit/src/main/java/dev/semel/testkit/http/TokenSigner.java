package dev.semel.testkit.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * Signs tokens with a key of its own, and shows how to verify them. Made of the platform alone, so that no library both
 * writes a token and reads it. Immutable.
 */
public record TokenSigner(String id, KeyPair pair) {
    public static final String ISSUER = "https://id.example/";
    public static final String AUDIENCE = "payments";

    public static TokenSigner named(String id) {
        try {
            KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
            keys.initialize(2048);
            return new TokenSigner(id, keys.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** What tells others how to verify its tokens. */
    public String jwks() {
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"use\":\"sig\",\"alg\":\"RS256\",\"kid\":\"%s\",\"n\":\"%s\",\"e\":\"%s\"}]}"
                .formatted(
                        id,
                        base64(unpadded(key.getModulus().toByteArray())),
                        base64(key.getPublicExponent().toByteArray()));
    }

    /** Without the zero that says that a number is positive. */
    private static byte[] unpadded(byte[] number) {
        return number[0] == 0 ? Arrays.copyOfRange(number, 1, number.length) : number;
    }

    /** A token's payload, good for ten minutes. */
    public static String claims(String subject) {
        return claims(subject, AUDIENCE, Instant.now().plusSeconds(600));
    }

    public static String claims(String subject, String audience, Instant end) {
        return "{\"sub\":\"%s\",\"iss\":\"%s\",\"aud\":\"%s\",\"exp\":%d}"
                .formatted(subject, ISSUER, audience, end.getEpochSecond());
    }

    public String token(String claims) {
        String signed = base64("{\"alg\":\"RS256\",\"kid\":\"" + id + "\"}") + "." + base64(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(pair.getPrivate());
            signature.update(signed.getBytes(UTF_8));
            return signed + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    public static String unsigned(String claims) {
        return base64("{\"alg\":\"none\"}") + "." + base64(claims) + ".";
    }

    private static String base64(String text) {
        return base64(text.getBytes(UTF_8));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
