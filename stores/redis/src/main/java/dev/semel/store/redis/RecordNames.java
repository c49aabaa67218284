package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.semel.core.key.KeyId;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The names of records: a prefix, and the digest in hexadecimal in braces. The braces make Redis Cluster put all names of
 * a key in one slot. The outcome's name has {@code :o} after it.
 */
record RecordNames(String prefix) {
    private static final int HEX = 2 * KeyId.DIGEST_BYTES;

    byte[] of(KeyId id) {
        return of(HexFormat.of().formatHex(id.digest()));
    }

    byte[] outcomeOf(KeyId id) {
        return (prefix + '{' + HexFormat.of().formatHex(id.digest()) + "}:o").getBytes(US_ASCII);
    }

    byte[] of(String hex) {
        return (prefix + '{' + hex + '}').getBytes(US_ASCII);
    }

    /** What all names of records match, and hardly any other; a prefix has no characters of patterns. */
    String pattern() {
        return prefix + "{*}";
    }

    /** The digest in a name, in hexadecimal; null when it is no record's name. */
    @Nullable
    String digest(byte[] name) {
        String text = new String(name, US_ASCII);
        boolean record =
                text.length() == prefix.length() + HEX + 2 && text.startsWith(prefix + '{') && text.endsWith("}");
        return record ? text.substring(prefix.length() + 1, text.length() - 1) : null;
    }
}
