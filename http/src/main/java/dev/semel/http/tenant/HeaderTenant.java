package dev.semel.http.tenant;

import dev.semel.http.Headers;
import dev.semel.http.tenant.TenantReading.Known;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tells tenants apart by a secret they send in a header, such as an API key. Does not check the secret: whoever sends
 * the same one is the same tenant. The name of the tenant is a keyed digest of it, so neither a store nor a log holds
 * the secret or something it could be guessed from. Another hash key makes everybody another tenant.
 */
public final class HeaderTenant implements TenantRule {
    public static final int MIN_HASH_KEY_BYTES = 32;

    private static final int DIGEST_BYTES = 16;

    private final SecretHeader header;
    private final SecretKeySpec hashKey;

    /** @throws IllegalArgumentException when the hash key has less than 32 bytes */
    public HeaderTenant(String header, byte[] hashKey) {
        if (hashKey.length < MIN_HASH_KEY_BYTES)
            throw new IllegalArgumentException("A hash key has at least " + MIN_HASH_KEY_BYTES + " bytes.");
        this.header = new SecretHeader(header);
        this.hashKey = new SecretKeySpec(hashKey, "HmacSHA256");
    }

    @Override
    public TenantReading read(Headers headers) {
        return switch (header.read(headers)) {
            case SecretHeader.Reading.Secret(byte[] bytes) -> new Known("h:" + digest(bytes));
            case SecretHeader.Reading.Unusable(TenantReading.Unknown reading) -> reading;
        };
    }

    @Override
    public String challenge() {
        return header.challenge();
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

    @Override
    public String toString() {
        return "HeaderTenant[" + header.name() + "]";
    }
}
