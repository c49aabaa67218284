package dev.semel.servlet;

import dev.semel.core.Semel;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.Quotas;
import dev.semel.core.store.KeyStore;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.RouteSettings;
import dev.semel.gateway.config.TenantSettings;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.http.Exchange;
import dev.semel.http.FailureRules;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.PublishedPolicy;
import dev.semel.http.RoutePolicy;
import dev.semel.http.UpstreamProbe;
import dev.semel.http.service.ServiceAccess;
import dev.semel.http.tenant.HeaderTenant;
import dev.semel.http.tenant.JwksPlace;
import dev.semel.http.tenant.JwtRules;
import dev.semel.http.tenant.JwtTenant;
import dev.semel.http.tenant.MappedTenant;
import dev.semel.http.tenant.TenantRule;
import dev.semel.seal.SealKeys;
import dev.semel.seal.SealedKeyStore;
import dev.semel.testkit.http.ContractRoutes;
import dev.semel.testkit.http.ScriptedUpstream;
import dev.semel.testkit.http.SetUp;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filter as a set-up of the contract asks for it, and the engine under it. */
final class ContractFilter implements AutoCloseable {
    private final GatewayConfig config;
    private final Semel semel;
    private final SemelFilter filter;

    ContractFilter(ScriptedUpstream upstream, KeyStore store, SetUp setUp) {
        this.config = config(upstream, setUp);
        SealKeys keys = config.encryption();
        List<PublishedPolicy.Route> routes = routes(config);
        ServletRoutes fixed = ServletRoutes.of(routes);
        Quotas quotas = config.tenant() == null ? Quotas.NONE : config.tenant().quotas();
        this.semel = Semel.on(new SealedKeyStore(store, keys == null ? SealKeys.NONE : keys))
                .quotas(quotas)
                .policies(fixed::policyOf)
                .start();
        this.filter = new SemelFilter(semel, fixed)
                .withTenants(ServletTenants.by(tenants(config.tenant())))
                .withFailures(FailureRules.ALL_IN_DOUBT.notRun(UpstreamConnection.NotReachedException.class))
                .withService(ServiceAccess.open());
    }

    SemelFilter filter() {
        return filter;
    }

    /** Where the application finds its upstreams. */
    GatewayConfig config() {
        return config;
    }

    private static TenantRule tenants(@Nullable TenantSettings settings) {
        if (settings == null) return TenantRule.single();
        return switch (settings) {
            case TenantSettings.Header it -> new HeaderTenant(it.name(), new byte[32]);
            case TenantSettings.Mapped it -> new MappedTenant(it.name(), it.map());
            case TenantSettings.Jwt it ->
                JwtTenant.of(
                        JwksPlace.parse(it.jwks()),
                        new JwtRules(it.claim(), it.issuer(), it.audience()),
                        InstantSource.system());
        };
    }

    private static List<PublishedPolicy.Route> routes(GatewayConfig config) {
        List<PublishedPolicy.Route> routes = new ArrayList<>();
        for (RouteSettings route : config.allRoutes())
            routes.add(new PublishedPolicy.Route(route.pattern(), withProbe(config, route)));
        return routes;
    }

    private static RoutePolicy withProbe(GatewayConfig config, RouteSettings route) {
        RoutePolicy policy = route.policy();
        if (policy.probe() == null) return policy;
        UpstreamSettings upstream = route.upstream() == null ? config.upstream() : route.upstream();
        UpstreamProbe.Sender sender =
                probe -> ask(upstream.withTimeout(policy.probe().timeout()), probe);
        ClaimPolicy claims = policy.claims().withProbe(UpstreamProbe.plan(policy.probe(), policy.headers(), sender));
        return policy.withClaims(claims);
    }

    private static Exchange<?> ask(UpstreamSettings upstream, HttpRequest probe) {
        try (UpstreamConnection connection = UpstreamConnection.open(upstream)) {
            Headers headers = probe.headers().with("Host", "upstream");
            connection.sendHead(probe.method(), probe.target(), headers);
            UpstreamConnection.Head head = connection.receiveHead(probe.method());
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            byte[] step = new byte[8192];
            for (int count = connection.receive(step); count >= 0; count = connection.receive(step))
                body.write(step, 0, count);
            return new Exchange.Answered<>(new HttpResponse(head.status(), head.headers(), body.toByteArray()));
        } catch (SocketTimeoutException e) {
            return new Exchange.TimedOut<>("no answer in time");
        } catch (IOException e) {
            return new Exchange.Broken<>("the probe broke");
        }
    }

    private static GatewayConfig config(ScriptedUpstream upstream, SetUp setUp) {
        StringBuilder yaml = new StringBuilder("""
            listen: 127.0.0.1:0
            accept-lost-keys: true
            upstream: { url: http://127.0.0.1:%d }
            %s
            routes:
            """.formatted(upstream.port(), setUp.settings()));
        for (ContractRoutes.Route route : ContractRoutes.of(upstream)) {
            yaml.append("  - match: \"").append(route.match()).append("\"\n");
            route.settings()
                    .forEach((name, value) -> yaml.append("    ")
                            .append(name)
                            .append(": ")
                            .append(value)
                            .append('\n'));
        }
        return switch (ConfigReader.read(yaml.toString(), "contract.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems + "\n" + yaml);
        };
    }

    @Override
    public void close() {
        semel.close();
    }
}
