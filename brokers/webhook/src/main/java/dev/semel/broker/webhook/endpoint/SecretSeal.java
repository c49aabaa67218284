package dev.semel.broker.webhook.endpoint;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts the secrets of endpoints in the database: AES-256-GCM, a nonce of 12 random bytes before the ciphertext. The tag also
 * covers whose secret it is, so that none can be put into the place of another. Safe for use by any thread.
 */
public final class SecretSeal {
    /** Secrets are stored as they are. */
    public static final SecretSeal NONE = new SecretSeal(null);

    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final @Nullable SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();

    private SecretSeal(@Nullable SecretKeySpec key) {
        this.key = key;
    }

    /**
     * @param base64 32 bytes; null for none
     * @throws IllegalArgumentException when it is no such key; the message does not hold it
     */
    public static SecretSeal of(@Nullable String base64) {
        if (base64 == null || base64.isBlank()) return NONE;
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The key for the secrets of webhooks is not base64.", e);
        }
        if (bytes.length != KEY_BYTES)
            throw new IllegalArgumentException("The key for the secrets of webhooks has " + bytes.length
                    + " bytes; AES-256 needs 32. Make one with: openssl rand -base64 32");
        return new SecretSeal(new SecretKeySpec(bytes, "AES"));
    }

    boolean isOn() {
        return key != null;
    }

    byte[] seal(UUID endpoint, UUID id, String secret) {
        byte[] clear = secret.getBytes(StandardCharsets.UTF_8);
        if (key == null) return clear;
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            byte[] sealed =
                    cipher(Cipher.ENCRYPT_MODE, key, nonce, endpoint, id).doFinal(clear);
            return ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                    .put(nonce)
                    .put(sealed)
                    .array();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has AES-256-GCM.", e);
        }
    }

    /** @throws SealedSecretException when it cannot be read with this key */
    String open(UUID endpoint, UUID id, boolean sealed, byte[] stored) {
        if (!sealed) return new String(stored, StandardCharsets.UTF_8);
        if (key == null) throw new SealedSecretException(endpoint, "and this process has no key");
        if (stored.length < NONCE_BYTES) throw new SealedSecretException(endpoint, "and damaged");
        try {
            byte[] nonce = Arrays.copyOf(stored, NONCE_BYTES);
            byte[] clear = cipher(Cipher.DECRYPT_MODE, key, nonce, endpoint, id)
                    .doFinal(stored, NONCE_BYTES, stored.length - NONCE_BYTES);
            return new String(clear, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new SealedSecretException(endpoint, "with another key than this process has");
        }
    }

    private static Cipher cipher(int mode, SecretKeySpec key, byte[] nonce, UUID endpoint, UUID id)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((endpoint + "/" + id).getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    @Override
    public String toString() {
        return isOn() ? "SecretSeal[…]" : "SecretSeal[none]";
    }

    /** A secret of an endpoint cannot be read, so nothing can be signed for it. */
    public static final class SealedSecretException extends IllegalStateException {
        SealedSecretException(UUID endpoint, String how) {
            super("A secret of the webhook endpoint " + endpoint + " is encrypted " + how
                    + ". Give SEMEL_WEBHOOK_KEY the key that it was encrypted with.");
        }
    }
}
