package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import dev.semel.http.tenant.TenantReading.Unknown;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells tenants apart by a secret they send in a header, such as an API key. Does not check the secret: whoever sends
 * the same one is the same tenant. The name of the tenant is a keyed digest of it, so neither a store nor a log holds
 * the secret or something it could be guessed from. Another hash key makes everybody another tenant.
 */
public final class HeaderTenant implements TenantRule {
    public static final int MIN_HASH_KEY_BYTES = 32;

    private static final int MAX_VALUE_BYTES = 8 * 1024;
    private static final int DIGEST_BYTES = 16;

    private final String header;
    private final SecretKeySpec hashKey;

    /** @throws IllegalArgumentException when the hash key has less than 32 bytes */
    public HeaderTenant(String header, byte[] hashKey) {
        if (hashKey.length < MIN_HASH_KEY_BYTES)
            throw new IllegalArgumentException("A hash key has at least " + MIN_HASH_KEY_BYTES + " bytes.");
        this.header = header;
        this.hashKey = new SecretKeySpec(hashKey, "HmacSHA256");
    }

    @Override
    public TenantReading read(Headers headers) {
        List<String> values = headers.all(header);
        if (values.isEmpty()) return unknown("is missing");
        if (values.size() > 1) return unknown("was sent " + values.size() + " times; send it once");
        String value = values.getFirst().strip();
        if (value.isEmpty()) return unknown("is empty");
        if (value.length() > MAX_VALUE_BYTES) return unknown("is too long");
        byte[] bytes = value.getBytes(UTF_8);
        if (bytes.length > MAX_VALUE_BYTES) return unknown("is too long");
        // Half a surrogate pair becomes a question mark in UTF-8: two secrets would be one tenant.
        if (!new String(bytes, UTF_8).equals(value)) return unknown("is not text");
        return new Known("h:" + digest(bytes));
    }

    /** No scheme is registered for a header of one's own; this one at least names it. */
    @Override
    public String challenge() {
        return "Header name=\"" + header + "\"";
    }

    private String digest(byte[] secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(hashKey);
            byte[] digest = Arrays.copyOf(mac.doFinal(secret), DIGEST_BYTES);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256.", e);
        }
    }

    private Unknown unknown(String what) {
        return new Unknown("The " + header + " header " + what + ". It tells whose request this is.");
    }

    @Override
    public String toString() {
        return "HeaderTenant[" + header + "]";
    }
}
