package dev.semel.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;

/** How idempotency keys are made (RFC 9562), and what one looks like. */
final class Keys {
    /** The namespace of all keys that are derived here; never changes, or retries would get other keys. */
    private static final UUID NAMESPACE = UUID.fromString("5e3e1000-0000-4000-8000-000000000002");

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int LONGEST = 255;

    private Keys() {}

    /** The millisecond of its birth, and 74 random bits. */
    static UUID uuid7(Instant now) {
        long high = now.toEpochMilli() << 16 | 0x7000 | RANDOM.nextInt(1 << 12);
        return new UUID(high, variant(RANDOM.nextLong()));
    }

    static UUID uuid5(String name) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(ByteBuffer.allocate(16)
                    .putLong(NAMESPACE.getMostSignificantBits())
                    .putLong(NAMESPACE.getLeastSignificantBits())
                    .flip());
            ByteBuffer digest = ByteBuffer.wrap(sha1.digest(name.getBytes(StandardCharsets.UTF_8)));
            long high = (digest.getLong() & ~0xf000L) | 0x5000L;
            return new UUID(high, variant(digest.getLong()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1.", e);
        }
    }

    private static long variant(long low) {
        return (low & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    }

    /** A key that a caller made. Quotes around it, as RFC 8941 has them, are not part of it. */
    static String checked(String header) {
        String key = header.length() >= 2 && header.startsWith("\"") && header.endsWith("\"")
                ? header.substring(1, header.length() - 1)
                : header;
        boolean visible = key.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\');
        if (key.isEmpty() || key.length() > LONGEST || !visible)
            throw new IllegalArgumentException("The Idempotency-Key of the request must be 1 to " + LONGEST
                    + " visible ASCII characters without quotes. Leave it out, and one is made.");
        return key;
    }
}
