package dev.semel.cli;

import dev.semel.gateway.config.AdminSettings;
import dev.semel.gateway.config.ConfigProblem;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.UpstreamSettings;
import java.io.IOException;
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
        @Nullable Path config,
        @Nullable String adminToken) {

    Settings over(UnaryOperator<@Nullable String> environment) {
        String file = environment.apply("SEMEL_CONFIG");
        return new Settings(
                upstream != null ? upstream : environment.apply("SEMEL_UPSTREAM"),
                listen != null ? listen : environment.apply("SEMEL_LISTEN"),
                admin != null ? admin : environment.apply("SEMEL_ADMIN"),
                store != null ? store : environment.apply("SEMEL_STORE"),
                config != null || file == null ? config : Path.of(file),
                adminToken(environment));
    }

    /** There is no flag for it: everybody on a machine can read the flags of its processes. */
    static @Nullable String adminToken(UnaryOperator<@Nullable String> environment) {
        String token = environment.apply("SEMEL_ADMIN_TOKEN");
        return token == null || token.isEmpty() ? null : token;
    }

    GatewayConfig resolve() {
        UpstreamSettings given =
                upstream == null ? null : UpstreamSettings.of(value(() -> UpstreamSettings.url(upstream)));
        GatewayConfig resolved = base(given);
        if (listen != null) resolved = resolved.withListen(value(() -> HostPort.parse(listen)));
        if (store != null) resolved = resolved.withStore(store);
        return resolved.withAdmin(admin(resolved.admin()));
    }

    private AdminSettings admin(AdminSettings base) {
        AdminSettings resolved = base;
        if (admin != null) resolved = resolved.withListen(value(() -> HostPort.parse(admin)));
        if (adminToken != null) resolved = resolved.withToken(value(() -> AdminSettings.token(adminToken)));
        String flaw = resolved.flaw();
        if (flaw != null) throw new UsageProblem("This is not safe: " + flaw + ".");
        return resolved;
    }

    @Override
    public String toString() {
        return "Settings[" + upstream + ", " + listen + ", " + admin + ", " + config + "]";
    }

    private GatewayConfig base(@Nullable UpstreamSettings given) {
        if (config != null) return read(config, given);
        if (given == null)
            throw new UsageProblem(
                    "There is no upstream. Give --upstream http://HOST:PORT, or --config FILE with one.");
        return GatewayConfig.of(given);
    }

    private static GatewayConfig read(Path file, @Nullable UpstreamSettings given) {
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
