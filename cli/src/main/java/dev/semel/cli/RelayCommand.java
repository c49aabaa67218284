package dev.semel.cli;

import dev.semel.gateway.config.HostPort;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.relay.RelayServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "relay",
        description = "Sends the messages of an outbox to a broker until it is stopped.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Any number of relays may run for one outbox: they share the work, and take over from one that dies.",
            "--store, --broker, --source and --log can also be given as SEMEL_STORE, SEMEL_BROKER, SEMEL_SOURCE and"
                    + " SEMEL_LOG.",
            "",
            "Outboxes:  jdbc:postgresql://HOST/DB?user=…",
            "Brokers:   kafka://HOST:PORT,HOST:PORT   ?security.protocol=… and other settings of its producer",
            "",
            "How it is doing: /healthz, /readyz and /metrics at the --admin address.",
        })
final class RelayCommand implements Callable<Integer> {
    private static final int LARGEST_BATCH = 10_000;

    @Option(names = "--store", paramLabel = "URL", description = "the database of the outbox")
    private @Nullable String store;

    @Option(names = "--broker", paramLabel = "URL", description = "where to send to")
    private @Nullable String broker;

    @Option(
            names = "--source",
            paramLabel = "URI",
            description = "which application the messages come from, for CloudEvents (default: semel)")
    private @Nullable String source;

    @Option(names = "--name", paramLabel = "NAME", description = "what it is called in lists (default: relay)")
    private String name = "relay";

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description = "where it says how it is doing (default: 127.0.0.1:8082)")
    private String admin = "127.0.0.1:8082";

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "messages of a shard that are sent together, at most (default: 500)")
    private int batch = RelaySettings.DEFAULT.batch();

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description = "tries of a message that the broker refuses, before it is a dead letter (default: 10)")
    private int attempts = RelaySettings.DEFAULT.attempts();

    @Option(
            names = "--listen",
            description = "let PostgreSQL announce what was appended in other processes (NOTIFY semel_outbox), on a"
                    + " connection of its own; not through PgBouncer")
    private boolean listens;

    @Mixin
    private LogOptions log = new LogOptions();

    @Override
    public Integer call() throws InterruptedException {
        RelayServer.Options options = options();
        Notices.asJson(log.apply(System::getenv));
        run(options);
        return 0;
    }

    private RelayServer.Options options() {
        if (batch < 1 || batch > LARGEST_BATCH)
            throw new UsageProblem("--batch is a number from 1 to " + LARGEST_BATCH + ", not " + batch + ".");
        if (attempts < 1) throw new UsageProblem("--attempts is at least 1, not " + attempts + ".");
        String from = given(source, "SEMEL_SOURCE");
        return new RelayServer.Options(
                OutboxOptions.urlOf(given(store, "SEMEL_STORE")),
                brokerUrl(),
                from == null ? "semel" : from,
                name,
                address(),
                RelaySettings.DEFAULT.withBatch(batch).withAttempts(attempts),
                listens);
    }

    private String brokerUrl() {
        String url = given(broker, "SEMEL_BROKER");
        if (url == null) throw new UsageProblem("Say where to send to: --broker kafka://HOST:PORT, or SEMEL_BROKER.");
        return url;
    }

    private InetSocketAddress address() {
        HostPort address = HostPort.parse(admin);
        return new InetSocketAddress(address.host(), address.port());
    }

    private static @Nullable String given(@Nullable String option, String variable) {
        return option != null ? option : Settings.variable(variable, System::getenv);
    }

    private static void run(RelayServer.Options options) throws InterruptedException {
        RelayServer server = start(options);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Notices.say("stopping; finishing what is being sent");
            server.close();
            closed.countDown();
        }));
        Notices.say("relay from %s to %s; admin on %s:%d"
                .formatted(
                        ServeCommand.safe(options.store()),
                        server.brokerName(),
                        options.admin().getHostString(),
                        server.adminPort()));
        closed.await();
    }

    private static RelayServer start(RelayServer.Options options) {
        try {
            return RelayServer.start(options);
        } catch (SQLException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new UnreachableProblem("The database of the outbox (" + ServeCommand.safe(options.store())
                    + ") did not answer: " + cause.getMessage());
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UsageProblem("The relay cannot listen on " + options.admin() + ": " + e.getMessage());
        }
    }
}
