package dev.semel.gateway.config;

import dev.semel.admin.Loopback;

/** Whether a gateway serves the service API and to whom, as its configuration results in. */
public sealed interface ServiceExposure {

    /** In words for people: "The service API is …". */
    String explained();

    /** @param to whom, and why */
    record Served(String to) implements ServiceExposure {
        @Override
        public String explained() {
            return "The service API is served to " + to + ".";
        }
    }

    /** @param why and what to configure, as whole sentences */
    record NotServed(String why) implements ServiceExposure {
        @Override
        public String explained() {
            return "The service API is not served. " + why;
        }
    }

    static ServiceExposure of(GatewayConfig config) {
        ServiceSettings service = config.service();
        TenantSettings tenant = config.tenant();
        if (service.off()) return new NotServed("The configuration says 'service: off'.");
        if (service.token() != null)
            return new Served("whoever shows its token" + (tenant == null ? "" : " and is " + oneOf(tenant)));
        if (tenant != null) return new Served("whoever is " + oneOf(tenant));
        if (Loopback.isHost(config.listen().host())) return new Served("this machine only, for 'listen' is loopback");
        return new NotServed("Other machines can reach this listener, and clients are not told apart."
                + " Configure 'service: { token: … }' or 'tenant: …', or listen on 127.0.0.1.");
    }

    private static String oneOf(TenantSettings tenant) {
        return switch (tenant) {
            case TenantSettings.Header it -> "a tenant, which is anybody with the header " + it.name();
            case TenantSettings.Mapped it -> "a tenant of " + it.map();
            case TenantSettings.Jwt it -> "a tenant with a token that verifies";
        };
    }
}
