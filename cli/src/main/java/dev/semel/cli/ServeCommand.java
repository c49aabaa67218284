package dev.semel.cli;

import dev.semel.core.store.KeyStore;
import dev.semel.gateway.Gateway;
import dev.semel.gateway.Reload;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.TraitsText;
import dev.semel.gateway.Webhooks;
import dev.semel.gateway.config.ConfigWarnings;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.StoreUrl;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "serve",
        description = "Runs the gateway in front of an HTTP API until it is stopped.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Each option can also be given as SEMEL_UPSTREAM, SEMEL_LISTEN, SEMEL_ADMIN, SEMEL_STORE,",
            "SEMEL_STORE_BEFORE, SEMEL_CONFIG, SEMEL_LOG (text or json) or SEMEL_ACCESS_LOG (on or off).",
            "The token of the admin API only as SEMEL_ADMIN_TOKEN, or in the file.",
            "Flags win over these variables, and these over the file.",
            "SIGHUP reads the file and the certificates again: kill -HUP PID.",
            "",
            "Stores:",
            "  rocksdb:DIR                          embedded, survives power loss; one process",
            "  rocksdb:DIR?durability=os            embedded, faster, survives process death only",
            "  jdbc:postgresql://HOST/DB?user=…     shared by any number of gateways",
            "  jdbc:mariadb://HOST/DB?user=…        the same; jdbc:mysql://… too",
            "  redis://HOST, redis-cluster://HOST,HOST, redis-sentinel://HOST#MASTER",
            "  dynamodb://REGION/TABLE              credentials from the environment",
            "  cassandra://HOST,HOST/KEYSPACE?dc=…  by lightweight transactions",
            "  memory:                              for trying things out, with --accept-lost-keys; nothing survives",
        })
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private GatewayOptions options = new GatewayOptions();

    @Option(names = "--config", paramLabel = "FILE", description = "a YAML file with all of this and the routes")
    private @Nullable Path config;

    @Option(
            names = "--store-wait",
            paramLabel = "TIME",
            defaultValue = "60s",
            description = "how long to wait for a database that does not take connections yet (default: 60s)")
    private String storeWait = "60s";

    @Option(
            names = "--no-migrate",
            description = "print the SQL that is missing in the database of the store, and do nothing else")
    private boolean noMigrate;

    @Mixin
    private LogOptions log = new LogOptions();

    @Override
    public Integer call() throws Exception {
        if (noMigrate) return printMigration();
        Notices.asJson(log.apply(System::getenv));
        GatewayConfig resolved = options.over(config);
        boolean file = config != null || Settings.variable("SEMEL_CONFIG", System::getenv) != null;
        run(resolved, StoreWait.of(storeWait).open(resolved), file ? () -> options.over(config) : null);
        return 0;
    }

    /** Runs until the process is told to end. */
    static void run(GatewayConfig resolved, KeyStore store) throws InterruptedException {
        run(resolved, store, null);
    }

    /** @param source reads the configuration again, when a signal asks for it; null when there is no file to read */
    private static void run(GatewayConfig resolved, KeyStore store, @Nullable Supplier<GatewayConfig> source)
            throws InterruptedException {
        Gateway gateway = Gateway.start(resolved, store);
        if (source != null) Sighup.onSignal(new Reload(gateway, source));
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Notices.say("stopping; finishing what runs");
            gateway.close();
            closed.countDown();
        }));
        for (String caution : ConfigWarnings.of(resolved)) Notices.warn(caution);
        Notices.say("listening on %s:%d, in front of %s"
                .formatted(
                        resolved.listen().host(),
                        gateway.port(),
                        resolved.upstream().urls()));
        Notices.say("admin on %s:%d; store %s"
                .formatted(resolved.admin().listen().host(), gateway.adminPort(), safe(resolved.store())));
        Notices.say("store: " + TraitsText.line(store.traits()));
        for (String loss : store.traits().losses()) Notices.say("store: " + loss);
        if (resolved.storeBefore() != null)
            Notices.say("keys are brought over from the store before, %s".formatted(safe(resolved.storeBefore())));
        closed.await();
    }

    private int printMigration() throws SQLException {
        String url = options.storeOver(config);
        String missing = StoreUrls.missingTables(url);
        if (options.hasWebhooks(config)) missing += Webhooks.missingTables(url);
        System.out.print(missing);
        if (missing.isEmpty()) System.err.println("semel: nothing is missing in the store " + safe(url));
        return 0;
    }

    /** A store URL without what may be a password in it. */
    static String safe(String url) {
        return StoreUrl.withoutSecrets(url);
    }
}
