package dev.semel.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key of <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, as it is handed round: {@code whsec_…} is a shared
 * secret (HMAC-SHA256), {@code whsk_…} signs and {@code whpk_…} verifies (ed25519). Its text is never shown by {@code toString}.
 */
public sealed interface SigningKey {
    /** A secret that both sides have. */
    record Shared(byte[] secret) implements SigningKey {
        private static final int SHORTEST = 24;
        private static final int LONGEST = 64;

        public Shared {
            if (secret.length < SHORTEST || secret.length > LONGEST)
                throw new IllegalArgumentException("A webhook secret has " + SHORTEST + " to " + LONGEST
                        + " bytes; this one has " + secret.length + ".");
            secret = secret.clone();
        }

        @Override
        public String toString() {
            return "whsec_…";
        }
    }

    /** Signs; its public half verifies. */
    record Private(PrivateKey key) implements SigningKey {
        @Override
        public String toString() {
            return "whsk_…";
        }
    }

    /** Only verifies. */
    record Public(PublicKey key) implements SigningKey {
        @Override
        public String toString() {
            return "whpk_…";
        }
    }

    /** @throws IllegalArgumentException when it is no such key; the message does not hold it */
    static SigningKey parse(String text) {
        try {
            if (text.startsWith("whsec_")) return new Shared(bytes(text.substring(6)));
            KeyFactory factory = KeyFactory.getInstance("Ed25519");
            // The private key is followed by the public one in what some tools write.
            if (text.startsWith("whsk_"))
                return new Private(
                        factory.generatePrivate(new PKCS8EncodedKeySpec(Ed25519.pkcs8(bytes(text.substring(5))))));
            if (text.startsWith("whpk_"))
                return new Public(
                        factory.generatePublic(new X509EncodedKeySpec(Ed25519.x509(bytes(text.substring(5))))));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("This is no key for webhooks.", e);
        }
        throw new IllegalArgumentException("A key for webhooks begins with whsec_, whsk_ or whpk_, then has base64.");
    }

    private static byte[] bytes(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "What follows the prefix of a webhook key is base64, and this is not.", e);
        }
    }

    /** A new secret to share, as text. */
    static String newSecret() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return "whsec_" + Base64.getEncoder().encodeToString(secret);
    }

    /** The signature of these bytes as it stands in the header, with its version. */
    default String sign(byte[] signed) {
        try {
            return switch (this) {
                case Shared(byte[] secret) -> "v1," + Base64.getEncoder().encodeToString(hmac(secret, signed));
                case Private(PrivateKey key) -> {
                    Signature signature = Signature.getInstance("Ed25519");
                    signature.initSign(key);
                    signature.update(signed);
                    yield "v1a," + Base64.getEncoder().encodeToString(signature.sign());
                }
                case Public it -> throw new IllegalStateException("A public key (whpk_) signs nothing.");
            };
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Webhooks cannot be signed here.", e);
        }
    }

    static byte[] hmac(byte[] secret, byte[] signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac.doFinal(signed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Webhooks cannot be signed here.", e);
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
