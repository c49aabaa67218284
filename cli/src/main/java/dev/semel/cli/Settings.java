package dev.semel.cli;

import dev.semel.gateway.config.Addresses;
import dev.semel.gateway.config.AdminSettings;
import dev.semel.gateway.config.ConfigProblem;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.StoreUrl;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.config.WebhooksSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a gateway is started with: flags win over {@code SEMEL_*} variables, these over the file. */
record Settings(
        @Nullable String upstream,
        @Nullable String listen,
        @Nullable String admin,
        @Nullable String store,
        @Nullable String storeBefore,
        @Nullable Path config,
        @Nullable String adminToken) {

    Settings over(UnaryOperator<@Nullable String> environment) {
        String file = variable("SEMEL_CONFIG", environment);
        return new Settings(
                upstream != null ? upstream : variable("SEMEL_UPSTREAM", environment),
                listen != null ? listen : variable("SEMEL_LISTEN", environment),
                admin != null ? admin : variable("SEMEL_ADMIN", environment),
                store != null ? store : variable("SEMEL_STORE", environment),
                storeBefore != null ? storeBefore : variable("SEMEL_STORE_BEFORE", environment),
                config != null || file == null ? config : Path.of(file),
                adminToken(environment));
    }

    /** There is no flag for it: everybody on a machine can read the flags of its processes. */
    static @Nullable String adminToken(UnaryOperator<@Nullable String> environment) {
        return variable("SEMEL_ADMIN_TOKEN", environment);
    }

    /** An empty variable is not given: much that starts processes cannot leave one out. */
    static @Nullable String variable(String name, UnaryOperator<@Nullable String> environment) {
        String value = environment.apply(name);
        return value == null || value.isEmpty() ? null : value;
    }

    GatewayConfig resolve() {
        GatewayConfig resolved = base(upstream == null ? null : value(() -> UpstreamSettings.url(upstream)));
        if (listen != null) resolved = resolved.withListen(value(() -> HostPort.parse(listen)));
        if (store != null) resolved = resolved.withStore(value(() -> StoreUrl.checked(store)));
        if (storeBefore != null) resolved = resolved.withStoreBefore(value(() -> StoreUrl.checked(storeBefore)));
        if (resolved.store().equals(resolved.storeBefore()))
            throw new UsageProblem("The store before is the store itself; leave it out.");
        resolved = resolved.withAdmin(admin(resolved.admin()));
        String flaw = Addresses.flaw(resolved);
        if (flaw != null) throw new UsageProblem(flaw);
        String webhooks = WebhooksSettings.flaw(resolved);
        if (webhooks != null) throw new UsageProblem("There is a problem in the configuration:\n  " + webhooks);
        return resolved;
    }

    private AdminSettings admin(AdminSettings base) {
        AdminSettings resolved = base;
        if (admin != null) resolved = resolved.withListen(value(() -> AdminAddress.listener(admin)));
        if (adminToken != null) resolved = resolved.withToken(value(() -> AdminSettings.token(adminToken)));
        String flaw = resolved.flaw();
        if (flaw != null) throw new UsageProblem("This is not safe: " + flaw + ".");
        return resolved;
    }

    @Override
    public String toString() {
        return "Settings[" + upstream + ", " + listen + ", " + admin + ", " + config + "]";
    }

    private GatewayConfig base(@Nullable URI given) {
        if (config != null) return read(config, given);
        if (given == null)
            throw new UsageProblem(
                    "There is no upstream. Give --upstream http://HOST:PORT, or --config FILE with one.");
        return GatewayConfig.of(UpstreamSettings.of(given));
    }

    private static GatewayConfig read(Path file, @Nullable URI given) {
        return switch (ConfigReader.read(text(file), file.toString(), System::getenv, given)) {
            case ConfigReader.Result.Valid it -> it.config();
            case ConfigReader.Result.Invalid it -> throw new UsageProblem(told(it.problems()));
        };
    }

    private static String told(List<ConfigProblem> problems) {
        String lines = problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n  "));
        return (problems.size() == 1 ? "There is a problem" : "There are " + problems.size() + " problems")
                + " in the configuration:\n  " + lines;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (MalformedInputException e) {
            throw new UsageProblem("The file " + file + " is not UTF-8 text.");
        } catch (IOException e) {
            throw new UsageProblem("The file " + file + " cannot be read: " + e.getMessage());
        }
    }

    private static <T> T value(Supplier<T> parser) {
        try {
            return parser.get();
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }
}
