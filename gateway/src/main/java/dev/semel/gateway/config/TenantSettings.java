package dev.semel.gateway.config;

import dev.semel.core.claim.Quotas;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How requests show whose they are. */
public sealed interface TenantSettings {

    /** How much each tenant may take up. */
    Quotas quotas();

    /**
     * By a secret in a header.
     *
     * @param hashKey at least 32 secret bytes to hash it with; null when the file gives none
     */
    record Header(String name, byte @Nullable [] hashKey, Quotas quotas) implements TenantSettings {
        @Override
        public String toString() {
            return "Header[name=" + name + ", hashKey=" + (hashKey == null ? "none" : "***") + "]";
        }
    }

    /**
     * By a secret in a header, and a file that tells whose each secret is.
     *
     * @param map the file, see {@link dev.semel.http.tenant.TenantMap}
     */
    record Mapped(String name, Path map, Quotas quotas) implements TenantSettings {}

    /**
     * By a claim of a signed bearer token.
     *
     * @param jwks the file or the http or https URL with the keys to verify tokens with
     * @param issuer who must have issued a token; null for anybody with such a key
     * @param audience whom a token must be meant for; null for anybody
     */
    record Jwt(
            String claim,
            String jwks,
            @Nullable String issuer,
            @Nullable String audience,
            Quotas quotas) implements TenantSettings {}
}
