package dev.semel.messaging.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** To which shard a message belongs: the same as PostgreSQL's tables say, so that one rule can be told. */
final class MariaDbShards {
    /** So many relays at most can send at once. */
    static final int COUNT = 16;

    private static final int HEX_DIGITS = 7;

    private MariaDbShards() {}

    static int of(@Nullable String key, UUID messageId) {
        return of(key == null ? messageId.toString() : key);
    }

    static int of(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(key.getBytes(UTF_8));
            return HexFormat.fromHexDigits(HexFormat.of().formatHex(digest), 0, HEX_DIGITS) % COUNT;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
