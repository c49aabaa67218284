package dev.semel.core.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Ids that follow from what they name: UUIDs of version 5 (RFC 9562). Whoever derives one from the same namespace and the
 * same parts gets the same id, in every process and after every restart; so a repeated insert meets the row of the first.
 *
 * <pre>{@code
 * private static final UUID REFUNDS = UUID.fromString("0d7b1f0e-…");   // made once, never changed
 * UUID refund = StableId.of(REFUNDS, orderId, "goodwill");
 * }</pre>
 *
 * <p>Such an id is no secret: whoever knows the parts knows the id.
 */
public final class StableId {
    private StableId() {}

    /**
     * The id of a thing that is told from others by these parts, in this order.
     *
     * @param namespace a UUID of your own for one kind of thing; another one gives other ids
     * @throws IllegalArgumentException when a part holds a NUL character, which stands between parts, or is not
     *     well-formed Unicode
     */
    public static UUID of(UUID namespace, String part, String... more) {
        StringBuilder name = new StringBuilder(requireWhole(part));
        for (String each : more) name.append('\0').append(requireWhole(each));
        return ofName(namespace, name.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String requireWhole(String part) {
        if (part.indexOf('\0') >= 0)
            throw new IllegalArgumentException("A part of an id must not hold a NUL character.");
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(part))
            throw new IllegalArgumentException("A part of an id is not well-formed Unicode.");
        return part;
    }

    /** The same for a name as it is, as the RFC has it. */
    public static UUID ofName(UUID namespace, byte[] name) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(ByteBuffer.allocate(16)
                    .putLong(namespace.getMostSignificantBits())
                    .putLong(namespace.getLeastSignificantBits())
                    .flip());
            ByteBuffer digest = ByteBuffer.wrap(sha1.digest(name));
            long high = (digest.getLong() & ~0xf000L) | 0x5000L;
            long low = (digest.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
            return new UUID(high, low);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1.", e);
        }
    }
}
