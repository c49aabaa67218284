package dev.semel.http.service;

import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.http.IdempotencyKey;
import dev.semel.http.ServiceNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * What the id of a claim stands for. The id itself says it all, so that any gateway on the same store understands it;
 * to its holder it is opaque. The tenant is not in it: an id leads nowhere in the hands of another tenant.
 *
 * <p>Version 1, in URL-safe Base64 without padding: one byte 1; one byte for the guarantee (0 at most once, 1 at least
 * once); the length of the operation in two bytes, the operation, the key; a CRC-32 of all that in four bytes. The sum
 * guards against damage, not against forgery: whoever may claim a key needs no forged id.
 */
record ClaimId(Guarantee guarantee, String operation, String key) {
    private static final int VERSION = 1;
    private static final int HEAD_BYTES = 4;
    private static final int SUM_BYTES = 4;

    String text() {
        byte[] utf8 = operation.getBytes(StandardCharsets.UTF_8);
        byte[] ascii = key.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + utf8.length + ascii.length + SUM_BYTES)
                .put((byte) VERSION)
                .put((byte) (guarantee == Guarantee.AT_LEAST_ONCE ? 1 : 0))
                .putShort((short) utf8.length)
                .put(utf8)
                .put(ascii);
        bytes.putInt(sum(bytes.array()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }

    /** Null when this is no id that was ever given out. */
    static @Nullable ClaimId parse(String text) {
        ClaimId id = decoded(text);
        return id != null && id.isProper() && id.text().equals(text) ? id : null;
    }

    /** What can be read. Whether it was written like this is seen by writing it again. */
    private static @Nullable ClaimId decoded(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (bytes.length < HEAD_BYTES + SUM_BYTES || bytes[0] != VERSION) return null;
        int operationBytes = (bytes[2] & 0xff) << 8 | (bytes[3] & 0xff);
        int keyBytes = bytes.length - SUM_BYTES - HEAD_BYTES - operationBytes;
        if (operationBytes < 1 || keyBytes < 1) return null;
        return new ClaimId(
                bytes[1] == 1 ? Guarantee.AT_LEAST_ONCE : Guarantee.AT_MOST_ONCE,
                new String(bytes, HEAD_BYTES, operationBytes, StandardCharsets.UTF_8),
                new String(bytes, HEAD_BYTES + operationBytes, keyBytes, StandardCharsets.US_ASCII));
    }

    private boolean isProper() {
        if (KeyId.isReserved(operation) || !IdempotencyKey.isKey(key)) return false;
        try {
            of("");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static int sum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, 0, bytes.length - SUM_BYTES);
        return (int) crc.getValue();
    }

    /** @throws IllegalArgumentException when the operation is too long */
    KeyId of(String tenant) {
        return KeyId.of(tenant, ServiceNames.kept(operation), key);
    }

    ClaimPolicy policy() {
        return ClaimPolicy.DEFAULT.withGuarantee(guarantee);
    }
}
