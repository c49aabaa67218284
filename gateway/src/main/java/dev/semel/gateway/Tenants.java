package dev.semel.gateway;

import dev.semel.core.Semel;
import dev.semel.gateway.config.TenantSettings;
import dev.semel.http.tenant.HeaderTenant;
import dev.semel.http.tenant.JwksPlace;
import dev.semel.http.tenant.JwtRules;
import dev.semel.http.tenant.JwtTenant;
import dev.semel.http.tenant.MappedTenant;
import dev.semel.http.tenant.TenantRule;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** How a gateway tells tenants apart, as configured. */
final class Tenants {
    private Tenants() {}

    static TenantRule of(@Nullable TenantSettings settings, Semel semel) {
        if (settings == null) return TenantRule.single();
        return switch (settings) {
            case TenantSettings.Header it -> {
                byte[] given = it.hashKey();
                yield new HeaderTenant(it.name(), given == null ? FleetSecret.of(semel, "tenant-hash-key") : given);
            }
            case TenantSettings.Mapped it -> new MappedTenant(it.name(), it.map());
            case TenantSettings.Jwt it ->
                JwtTenant.of(
                        JwksPlace.parse(it.jwks()),
                        new JwtRules(it.claim(), it.issuer(), it.audience()),
                        InstantSource.system());
        };
    }
}
