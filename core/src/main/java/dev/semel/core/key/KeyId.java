package dev.semel.core.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The full name of one logical operation: the client's key inside its scope (tenant and operation). Two ids are equal
 * only when all three parts are; the {@link #digest()} is a fixed-width address for stores, never a proof of equality.
 */
public final class KeyId {
    /** How many bytes {@link #digest()} has. */
    public static final int DIGEST_BYTES = 16;

    private static final int MAX_PART_BYTES = 1024;
    private static final String RESERVED = "semel:";

    private final String tenant;
    private final String operation;
    private final String key;
    private final byte[] digest;

    private KeyId(String tenant, String operation, String key) {
        this.tenant = tenant;
        this.operation = operation;
        this.key = key;
        this.digest = digestOf(bytes("tenant", tenant), bytes("operation", operation), bytes("key", key));
    }

    /**
     * Names an operation.
     *
     * @param tenant whose key it is; empty when there is only one tenant
     * @throws IllegalArgumentException when operation or key is empty, the operation is {@linkplain #isReserved
     *     reserved}, or a part is over 1,024 bytes of UTF-8, holds a NUL, or is not well-formed Unicode
     */
    public static KeyId of(String tenant, String operation, String key) {
        if (isReserved(operation))
            throw new IllegalArgumentException("Operations that begin with '" + RESERVED + "' are Semel's own.");
        return ofStored(tenant, operation, key);
    }

    /** Names something of Semel's own in a store: {@code semel:} and this name are its operation. */
    public static KeyId reserved(String tenant, String name, String key) {
        return ofStored(tenant, RESERVED + name, key);
    }

    /** Whether nobody but Semel itself may claim keys of this operation. */
    public static boolean isReserved(String operation) {
        return operation.startsWith(RESERVED);
    }

    /** As a store has it: what was named by either of the others. */
    public static KeyId ofStored(String tenant, String operation, String key) {
        if (operation.isEmpty()) throw new IllegalArgumentException("The operation of a key must not be empty.");
        if (key.isEmpty()) throw new IllegalArgumentException("A key must not be empty.");
        return new KeyId(tenant, operation, key);
    }

    public String tenant() {
        return tenant;
    }

    public String operation() {
        return operation;
    }

    public String key() {
        return key;
    }

    /** Sixteen bytes that stand for this id in a store. The caller must not change them. */
    public byte[] digest() {
        return digest;
    }

    /** Twelve hexadecimal digits that stand for this id in logs, where the key itself has no place. */
    public String hash() {
        return HexFormat.of().formatHex(digest, 0, 6);
    }

    private static byte[] bytes(String part, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > MAX_PART_BYTES)
            throw new IllegalArgumentException("The " + part + " of a key has " + utf8.length + " bytes; at most "
                    + MAX_PART_BYTES + " are taken.");
        if (value.indexOf('\0') >= 0)
            throw new IllegalArgumentException("The " + part + " of a key must not hold a NUL character.");
        if (!new String(utf8, StandardCharsets.UTF_8).equals(value))
            throw new IllegalArgumentException("The " + part + " of a key is not well-formed Unicode.");
        return utf8;
    }

    private static byte[] digestOf(byte[] tenant, byte[] operation, byte[] key) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            for (byte[] part : new byte[][] {tenant, operation, key}) {
                sha.update(ByteBuffer.allocate(4).putInt(part.length).flip());
                sha.update(part);
            }
            return Arrays.copyOf(sha.digest(), DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyId that
                && Arrays.equals(digest, that.digest)
                && key.equals(that.key)
                && operation.equals(that.operation)
                && tenant.equals(that.tenant);
    }

    @Override
    public int hashCode() {
        return (digest[0] << 24) | (digest[1] & 0xff) << 16 | (digest[2] & 0xff) << 8 | (digest[3] & 0xff);
    }

    @Override
    public String toString() {
        return (tenant.isEmpty() ? "" : tenant + " ") + operation + " " + key;
    }
}
