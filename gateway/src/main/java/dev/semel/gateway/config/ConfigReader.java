package dev.semel.gateway.config;

import dev.semel.gateway.config.YamlValue.Reading;
import dev.semel.seal.SealKeys;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads a configuration. Goes on after the first problem, so that one run shows all of them. */
public final class ConfigReader {
    private static final Set<String> NAMES = Set.of(
            "listen",
            "admin",
            "store",
            "store-before",
            "tls",
            "tenant",
            "service",
            "encryption",
            "upstream",
            "routes",
            "webhooks",
            "limits",
            "accept-lost-keys");

    private final List<ConfigProblem> problems = new ArrayList<>();
    private final HiddenBraces text;
    private final Reading reading;

    private ConfigReader(String yaml, String file, Function<String, @Nullable String> environment) {
        this.text = HiddenBraces.in(yaml);
        this.reading = new Reading(file, text, environment, problems::add);
    }

    /** A configuration, or all that is wrong with it. */
    public sealed interface Result {
        record Valid(GatewayConfig config) implements Result {}

        record Invalid(List<ConfigProblem> problems) implements Result {}
    }

    /**
     * Reads a configuration.
     *
     * @param file what to call the file in messages
     * @param otherUrl an upstream's url given elsewhere, which counts instead of those in the file; null for none
     */
    public static Result read(
            String yaml, String file, Function<String, @Nullable String> environment, @Nullable URI otherUrl) {
        ConfigReader reader = new ConfigReader(yaml, file, environment);
        GatewayConfig config = reader.read(otherUrl);
        reader.problems.sort(Comparator.comparingInt(ConfigProblem::line).thenComparingInt(ConfigProblem::column));
        return config == null || !reader.problems.isEmpty()
                ? new Result.Invalid(reader.problems)
                : new Result.Valid(config);
    }

    private @Nullable GatewayConfig read(@Nullable URI otherUrl) {
        Node root = root();
        return root == null ? null : config(new YamlValue(root, reading), otherUrl);
    }

    private @Nullable Node root() {
        LoadSettings settings =
                LoadSettings.builder().setAllowDuplicateKeys(true).build();
        try {
            Node root = new Compose(settings).composeString(text.yaml()).orElse(null);
            if (root == null) problems.add(new ConfigProblem(reading.file(), 1, 1, "the file is empty"));
            return root;
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            int column = e.getProblemMark().map(mark -> mark.getColumn() + 1).orElse(1);
            problems.add(notYaml(line, column, e.getProblem()));
        } catch (YamlEngineException | IllegalArgumentException e) { // the latter for odd tags
            problems.add(notYaml(1, 1, e.getMessage()));
        }
        return null;
    }

    private ConfigProblem notYaml(int line, int column, @Nullable String why) {
        return new ConfigProblem(reading.file(), line, column, "not valid YAML: " + text.shown(String.valueOf(why)));
    }

    private @Nullable GatewayConfig config(YamlValue root, @Nullable URI otherUrl) {
        Map<String, YamlValue> entries = root.map("the configuration", NAMES, Map.of());
        YamlValue upstreamValue = entries.get("upstream");
        UpstreamSettings upstream = upstream(upstreamValue, otherUrl);
        HostPort listen = hostPort(entries.get("listen"), GatewayConfig.DEFAULT_LISTEN);
        AdminSettings admin = admin(entries.get("admin"));
        String store = store(entries.get("store"));
        YamlValue beforeValue = entries.get("store-before");
        String storeBefore = beforeValue == null ? null : beforeValue.orNull(StoreUrl::checked);
        if (beforeValue != null && store.equals(storeBefore))
            beforeValue.wrong("this is the store itself; leave it out");
        TlsSettings tls = tls(entries.get("tls"));
        TenantSettings tenant = TenantReader.read(entries.get("tenant"));
        ServiceSettings service = ServiceReader.read(entries.get("service"), tenant);
        SealKeys encryption = EncryptionReader.read(entries.get("encryption"));
        List<RouteSettings> routes = routes(entries.get("routes"), upstream, new RouteChecks(tenant));
        WebhooksSettings webhooks = WebhookReader.read(entries.get("webhooks"));
        ConnectionLimits limits = LimitsReader.read(entries.get("limits"));
        YamlValue accept = entries.get("accept-lost-keys");
        boolean acceptLostKeys = accept != null && accept.as(ConfigReader::yesOrNo, false);
        if (upstream != null)
            return new GatewayConfig(
                    listen,
                    admin,
                    store,
                    storeBefore,
                    tls,
                    tenant,
                    service,
                    encryption,
                    upstream,
                    routes,
                    webhooks,
                    limits,
                    acceptLostKeys);
        if (upstreamValue == null)
            root.wrong("there is no upstream; add 'upstream: { url: http://HOST:PORT }' or give --upstream");
        return null;
    }

    private static @Nullable UpstreamSettings upstream(@Nullable YamlValue value, @Nullable URI otherUrl) {
        UpstreamSettings other = otherUrl == null ? null : UpstreamSettings.of(otherUrl);
        if (value == null) return other;
        UpstreamSettings read = UpstreamReader.read(value, other);
        return read == null || otherUrl == null ? read : read.withUrl(otherUrl);
    }

    private static HostPort hostPort(@Nullable YamlValue value, HostPort otherwise) {
        return value == null ? otherwise : value.as(HostPort::parse, otherwise);
    }

    private static AdminSettings admin(@Nullable YamlValue value) {
        AdminSettings otherwise = AdminSettings.DEFAULT;
        if (value == null) return otherwise;
        Map<String, YamlValue> entries = value.map("admin", Set.of("listen", "token"), Map.of());
        YamlValue token = entries.get("token");
        return new AdminSettings(
                hostPort(entries.get("listen"), otherwise.listen()),
                token == null ? null : token.orNull(AdminSettings::token));
    }

    private static String store(@Nullable YamlValue value) {
        return value == null ? GatewayConfig.DEFAULT_STORE : value.as(StoreUrl::checked, GatewayConfig.DEFAULT_STORE);
    }

    static boolean yesOrNo(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
        };
    }

    private static @Nullable TlsSettings tls(@Nullable YamlValue value) {
        if (value == null) return null;
        Map<String, YamlValue> entries = value.map("tls", Set.of("certificate", "key"), Map.of());
        Path certificate = file(value, entries.get("certificate"), "certificate");
        Path key = file(value, entries.get("key"), "key");
        return certificate == null || key == null ? null : new TlsSettings(certificate, key);
    }

    private static @Nullable Path file(YamlValue tls, @Nullable YamlValue value, String name) {
        if (value == null) {
            tls.wrong("tls needs '" + name + "', a PEM file");
            return null;
        }
        return PemFile.named(value);
    }

    private static List<RouteSettings> routes(
            @Nullable YamlValue value, @Nullable UpstreamSettings upstream, RouteChecks checks) {
        List<RouteSettings> routes = new ArrayList<>();
        if (value == null) return routes;
        for (YamlValue item : value.list("routes")) {
            RouteSettings route = RouteReader.read(item, upstream);
            if (route == null) continue;
            checks.check(item, route);
            routes.add(route);
        }
        return routes;
    }
}
