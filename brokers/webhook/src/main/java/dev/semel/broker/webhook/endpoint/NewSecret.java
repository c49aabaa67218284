package dev.semel.broker.webhook.endpoint;

import dev.semel.webhook.SigningKey;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Arrays;
import java.util.Base64;

/**
 * A secret as it was made: shown once, to whoever asked for it.
 *
 * @param signing what is kept here
 * @param verifying what the receiver needs: the same for a shared secret, the public half of an ed25519 key
 */
public record NewSecret(String signing, String verifying) {
    private static final int RAW = 32;

    /** How webhooks are signed. */
    public enum Kind {
        /** HMAC-SHA256 with a secret that both sides have ({@code whsec_}). */
        HMAC,
        /** ed25519: the receiver gets a public key ({@code whpk_}). */
        ED25519
    }

    static NewSecret of(Kind kind) {
        if (kind == Kind.ED25519) return ed25519();
        String secret = SigningKey.newSecret();
        return new NewSecret(secret, secret);
    }

    /** The raw bytes are the last ones of the usual encodings. */
    private static NewSecret ed25519() {
        try {
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            byte[] secret = last(pair.getPrivate().getEncoded());
            byte[] open = last(pair.getPublic().getEncoded());
            byte[] both = ByteBuffer.allocate(2 * RAW).put(secret).put(open).array();
            return new NewSecret("whsk_" + base64(both), "whpk_" + base64(open));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("There is no ed25519 here.", e);
        }
    }

    private static byte[] last(byte[] encoded) {
        return Arrays.copyOfRange(encoded, encoded.length - RAW, encoded.length);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "NewSecret[…]";
    }
}
