package dev.semel.seal;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys that outcomes and memos are sealed with. New ones are sealed with the active key; old ones are opened with
 * whatever key they name. A key that is taken away makes all that it sealed unreadable, which is how to shred it.
 *
 * <p>Immutable. Neither its text nor any message of its own shows the bytes of a key.
 */
public final class SealKeys {
    /** How many bytes a key has. */
    public static final int KEY_BYTES = 32;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    /** None at all: nothing is sealed, and all that was sealed is gone. */
    public static final SealKeys NONE = new SealKeys("", Map.of());

    private final String active;
    private final Map<String, SecretKey> keys;

    private SealKeys(String active, Map<String, SecretKey> keys) {
        if (!keys.isEmpty() && !keys.containsKey(active))
            throw new IllegalArgumentException("The active key '" + active + "' is not among the keys.");
        this.active = active;
        this.keys = keys;
    }

    /**
     * Takes keys of 32 bytes by id. The bytes are copied.
     *
     * @throws IllegalArgumentException when an id or the length of a key is wrong, or the active key is not there
     */
    public static SealKeys of(String active, Map<String, byte[]> keys) {
        Map<String, SecretKey> secrets = new TreeMap<>();
        keys.forEach((id, bytes) -> secrets.put(checkedId(id), secret(id, bytes)));
        if (keys.isEmpty()) throw new IllegalArgumentException("There is no key to seal with.");
        return new SealKeys(active, secrets);
    }

    /** The id, if it can be one: 1 to 32 letters, digits, dots, underscores and hyphens. */
    public static String checkedId(String id) {
        if (!ID.matcher(id).matches())
            throw new IllegalArgumentException("'" + id
                    + "' cannot be the id of a key; it has 1 to 32 letters, digits, dots, underscores and hyphens");
        return id;
    }

    private static SecretKey secret(String id, byte[] bytes) {
        if (bytes.length != KEY_BYTES)
            throw new IllegalArgumentException(
                    "The key '" + id + "' has " + bytes.length + " bytes; AES-256 needs " + KEY_BYTES + ".");
        return new SecretKeySpec(bytes, "AES");
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** Whether the other has the same keys under the same names, and the same one active. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SealKeys that && active.equals(that.active) && keys.equals(that.keys);
    }

    @Override
    public int hashCode() {
        return active.hashCode();
    }

    public String active() {
        return active;
    }

    public Set<String> ids() {
        return Set.copyOf(keys.keySet());
    }

    SealKeys withActive(String id) {
        return new SealKeys(id, keys);
    }

    @Nullable
    SecretKey key(String id) {
        return keys.get(id);
    }

    @Override
    public String toString() {
        return "SealKeys[active " + active + " of " + keys.keySet() + "]";
    }
}
