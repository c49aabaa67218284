package dev.semel.servlet;

import dev.semel.http.tenant.TenantReading;
import dev.semel.http.tenant.TenantRule;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.Principal;

/** Whose a request is. Keys of different tenants never meet. Safe for use by any thread; may block. */
public interface ServletTenants {

    /** A request whose tenant is not known is refused with 401. */
    TenantReading tenant(HttpServletRequest request);

    /** What a request has to bring, as a challenge for {@code WWW-Authenticate}. */
    default String challenge() {
        return "Bearer";
    }

    /** Everybody is the same tenant. */
    static ServletTenants single() {
        return by(TenantRule.single());
    }

    /** By headers, as the gateway tells tenants. */
    static ServletTenants by(TenantRule rule) {
        return new ServletTenants() {
            @Override
            public TenantReading tenant(HttpServletRequest request) {
                return rule.read(RequestHead.headers(request));
            }

            @Override
            public String challenge() {
                return rule.challenge();
            }
        };
    }

    /** By the name of the principal that the server, or a filter before this one, has authenticated. */
    static ServletTenants principal() {
        return request -> {
            Principal principal = request.getUserPrincipal();
            String name = principal == null ? null : principal.getName();
            if (name == null || name.isEmpty())
                return new TenantReading.Unknown("Nobody is signed in, so it is not known whose key it is.");
            // Never the name of a tenant that is told in another way.
            String tenant = "p:" + name;
            return isUsable(tenant)
                    ? new TenantReading.Known(tenant)
                    : new TenantReading.Unknown("The name of whoever is signed in is too long, or no plain text.");
        };
    }

    private static boolean isUsable(String tenant) {
        return tenant.getBytes(StandardCharsets.UTF_8).length <= 1024
                && StandardCharsets.UTF_8.newEncoder().canEncode(tenant)
                && tenant.chars().noneMatch(Character::isISOControl);
    }
}
