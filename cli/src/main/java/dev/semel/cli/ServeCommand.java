package dev.semel.cli;

import dev.semel.core.store.KeyStore;
import dev.semel.gateway.Gateway;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.config.Cautions;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.store.jdbc.PostgresKeyStore;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
            "Each option can also be given as SEMEL_UPSTREAM, SEMEL_LISTEN, SEMEL_ADMIN, SEMEL_STORE or SEMEL_CONFIG.",
            "The token of the admin API only as SEMEL_ADMIN_TOKEN, or in the file.",
            "Flags win over these variables, and these over the file.",
            "",
            "Stores:",
            "  rocksdb:DIR                          embedded, survives power loss; one process",
            "  rocksdb:DIR?durability=os            embedded, faster, survives process death only",
            "  jdbc:postgresql://HOST/DB?user=…     shared by any number of gateways",
            "  memory:                              for trying things out, with --accept-lost-keys; nothing survives",
        })
final class ServeCommand implements Callable<Integer> {
    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

    @Option(names = "--config", paramLabel = "FILE", description = "a YAML file with all of this and the routes")
    private @Nullable Path config;

    @Option(
            names = "--no-migrate",
            description = "print the SQL that would create or migrate the tables of the store, and do nothing else")
    private boolean noMigrate;

    @Override
    public Integer call() throws Exception {
        if (noMigrate) return printMigration();
        GatewayConfig resolved = gateway.over(config);
        run(resolved, open(resolved.store()));
        return 0;
    }

    /** Runs until the process is told to end. */
    static void run(GatewayConfig resolved, KeyStore store) throws InterruptedException {
        Gateway gateway = Gateway.start(resolved, store);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            System.err.println("semel: stopping; finishing what runs");
            gateway.close();
            closed.countDown();
        }));
        for (String caution : Cautions.of(resolved)) System.err.println("semel: warning: " + caution);
        System.err.printf(
                "semel: listening on %s:%d, in front of %s%n",
                resolved.listen().host(), gateway.port(), resolved.upstream().urls());
        System.err.printf(
                "semel: admin on %s:%d; store %s%n",
                resolved.admin().listen().host(), gateway.adminPort(), safe(resolved.store()));
        closed.await();
    }

    private static KeyStore open(String url) {
        try {
            return StoreUrls.open(url);
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }

    private int printMigration() {
        System.out.print(PostgresKeyStore.migrationSql());
        return 0;
    }

    /** A store URL without what may be a password in it. */
    static String safe(String url) {
        int query = url.indexOf('?');
        return url.startsWith("jdbc:") && query >= 0 ? url.substring(0, query) : url;
    }
}
