package dev.semel.seal;

import dev.semel.core.key.Outcome;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What stands in the clear before a ciphertext:
 *
 * <pre>
 * 0xff                           no plain outcome or memo starts like this
 * version                        1
 * length, id of the key          one byte, then so many
 * length, clear bytes            one byte, then so many
 * CRC-32C of all before          four bytes
 * </pre>
 *
 * <p>The sum is no protection from people. It tells a damaged id from the id of a key that is gone: the first must be
 * refused, the second counts as shredded.
 *
 * @param length of the head as a whole
 */
record SealHead(String keyId, byte[] clear, int length) {
    private static final int VERSION = 1;
    private static final int LOWEST_FOREIGN = 0x7f;

    /** Whether these bytes were written before sealing was turned on. */
    static boolean isPlain(byte[] stored) {
        return stored.length == 0 || (stored[0] & 0xff) < LOWEST_FOREIGN;
    }

    static byte[] write(String keyId, byte[] bytes, int clear) {
        byte[] id = keyId.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer out = ByteBuffer.allocate(2 + 1 + id.length + 1 + clear + Integer.BYTES);
        out.put((byte) Outcome.SEALED).put((byte) VERSION);
        out.put((byte) id.length).put(id);
        out.put((byte) clear).put(bytes, 0, clear);
        out.putInt(sum(out.array(), out.position()));
        return out.array();
    }

    /** Null when these bytes do not start with a whole head. */
    static @Nullable SealHead read(byte[] stored) {
        if (stored.length < 4 || (stored[0] & 0xff) != Outcome.SEALED || stored[1] != VERSION) return null;
        int idEnds = 3 + (stored[2] & 0xff);
        if (idEnds >= stored.length) return null;
        int clearEnds = idEnds + 1 + (stored[idEnds] & 0xff);
        int end = clearEnds + Integer.BYTES;
        if (end > stored.length || ByteBuffer.wrap(stored).getInt(clearEnds) != sum(stored, clearEnds)) return null;
        String keyId = new String(stored, 3, idEnds - 3, StandardCharsets.US_ASCII);
        return new SealHead(keyId, Arrays.copyOfRange(stored, idEnds + 1, clearEnds), end);
    }

    private static int sum(byte[] bytes, int upTo) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, upTo);
        return (int) sum.getValue();
    }
}
