package dev.semel.seal;

import dev.semel.core.key.KeyId;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Seals bytes with AES-256-GCM and opens them again: a {@link SealHead}, a nonce of 12 random bytes, the ciphertext, and
 * a tag of 16 bytes. The tag also covers the head, whose record it is and what it is there, so that nothing sealed can
 * be passed off as anything else.
 *
 * <p>Random nonces are safe for 2^32 seals by one key; who seals a thousand times a second changes the key every 50
 * days. Safe for use by any thread.
 */
final class Seal {
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BYTES = 16;

    private final SealKeys keys;
    private final SecureRandom random = new SecureRandom();

    Seal(SealKeys keys) {
        this.keys = keys;
    }

    /** What sealed bytes are in their record. */
    enum Role {
        OUTCOME(1),
        MEMO(2);

        private final byte number;

        Role(int number) {
            this.number = (byte) number;
        }
    }

    sealed interface Opened {
        /** @param clear how many bytes in front were in the clear */
        record Whole(byte[] bytes, int clear) implements Opened {}

        /** Sealed with a key that is not here any more. */
        record KeyGone(byte[] clear) implements Opened {}

        /** Not what was written here, whatever happened to it. */
        record Damaged(String why) implements Opened {}
    }

    byte[] seal(KeyId id, Role role, byte[] bytes, int clear) {
        byte[] head = SealHead.write(keys.active(), bytes, clear);
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        int secret = bytes.length - clear;
        int start = head.length + NONCE_BYTES;
        byte[] sealed = Arrays.copyOf(head, Math.addExact(start, Math.addExact(secret, TAG_BYTES)));
        System.arraycopy(nonce, 0, sealed, head.length, NONCE_BYTES);
        SecretKey key = keys.key(keys.active());
        if (key == null) throw new IllegalStateException("The active key is always there.");
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, key, id, role, sealed, head.length);
            cipher.doFinal(bytes, clear, secret, sealed, start);
            return sealed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has AES-256-GCM.", e);
        }
    }

    Opened open(KeyId id, Role role, byte[] stored) {
        if (SealHead.isPlain(stored)) return new Opened.Whole(stored, 0);
        SealHead head = SealHead.read(stored);
        if (head == null) return new Opened.Damaged("it is neither plain nor sealed");
        SecretKey key = keys.key(head.keyId());
        if (key == null) return new Opened.KeyGone(head.clear());
        int start = head.length() + NONCE_BYTES;
        if (stored.length < start + TAG_BYTES) return new Opened.Damaged("it ends too early");
        int clear = head.clear().length;
        byte[] bytes = Arrays.copyOf(head.clear(), clear + stored.length - start - TAG_BYTES);
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, key, id, role, stored, head.length());
            cipher.doFinal(stored, start, stored.length - start, bytes, clear);
            return new Opened.Whole(bytes, clear);
        } catch (AEADBadTagException e) {
            return new Opened.Damaged("it was changed, moved here, or sealed with other bytes than those of the key '"
                    + head.keyId() + "'");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has AES-256-GCM.", e);
        }
    }

    /** A cipher of its own for every call: that costs about a microsecond, and there is nothing to share or to pin. */
    private static Cipher cipher(int mode, SecretKey key, KeyId id, Role role, byte[] sealed, int headLength)
            throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, sealed, headLength, NONCE_BYTES));
        cipher.updateAAD(id.digest());
        cipher.updateAAD(new byte[] {role.number});
        cipher.updateAAD(sealed, 0, headLength);
        return cipher;
    }
}
