package dev.semel.http.tenant;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.semel.http.tenant.TenantReading.Known;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tokens cached lately, since checking a signature costs more than all the rest of reading a request. Knows them
 * by their digest only. Forgets the one unused for the longest time when it is full. Safe for use by any thread.
 */
final class VerifiedTokens {
    private final LinkedHashMap<ByteBuffer, CachedTenant> tokens;

    VerifiedTokens(int atMost) {
        this.tokens = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<ByteBuffer, CachedTenant> eldest) {
                return size() > atMost;
            }
        };
    }

    /** @param with a token counts as cached only as long as these are the keys: one of them may have been withdrawn */
    private record CachedTenant(Known tenant, SigningKeys with, Instant until) {}

    @Nullable
    Known find(String token, SigningKeys keys, Instant now) {
        ByteBuffer digest = digest(token);
        synchronized (tokens) {
            CachedTenant cached = tokens.get(digest);
            if (cached == null) return null;
            if (cached.with() == keys && now.isBefore(cached.until())) return cached.tenant();
            tokens.remove(digest);
            return null;
        }
    }

    void add(String token, Known tenant, SigningKeys keys, Instant until) {
        ByteBuffer digest = digest(token);
        synchronized (tokens) {
            tokens.put(digest, new CachedTenant(tenant, keys, until));
        }
    }

    int size() {
        synchronized (tokens) {
            return tokens.size();
        }
    }

    private static ByteBuffer digest(String token) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(token.getBytes(US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
