package dev.semel.cli;

import dev.semel.examples.demo.CtrlC;
import dev.semel.examples.demo.Demo;
import dev.semel.examples.demo.DemoService;
import dev.semel.examples.demo.messages.MessagesDemo;
import dev.semel.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description = "Shows it: the same customers on the same bad network pay with Semel and without.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "In a terminal, keys break things: k kills the gateway (kill -9), p crashes the payment services, l loses"
                    + " all",
            "answers for 3 seconds, q ends the demo. Without a terminal and with --seconds, the gateway is killed"
                    + " half-way.",
            "With --messages: k kills the shops and the relay (kill -9), b takes the brokers away, c crashes those who"
                    + " write",
            "invoices, l loses all answers for 3 seconds.",
            "Exit code 1: with Semel, a payment was charged twice, or answered as paid and not charged; an order has"
                    + " no",
            "invoice, or two."
        })
final class DemoCommand implements Callable<Integer> {
    @Option(names = "--seconds", paramLabel = "N", description = "end by itself after so long (default: on Ctrl-C)")
    private @Nullable Integer seconds;

    @Option(names = "--seed", paramLabel = "N", description = "the same payments and bad luck again (default: fresh)")
    private @Nullable Long seed;

    @Option(
            names = "--messages",
            description = "orders that become invoices: with outbox, relay and inbox, and without")
    private boolean messages;

    @Override
    public Integer call() throws Exception {
        return CtrlC.<Integer, Exception>interrupts(messages ? this::runMessages : this::run);
    }

    private Integer run() throws Exception {
        Duration duration = seconds == null ? Demo.UNTIL_INTERRUPTED : Duration.ofSeconds(seconds);
        long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        System.out.println("Starting a gateway, a payment service and its twin ...");
        try (TemporaryFolder temporary = TemporaryFolder.create("semel-demo");
                DemoService service = DemoService.on(DemoPorts.near(9000));
                DemoService twin = DemoService.on(DemoPorts.near(9001));
                KillableGateway gateway = KillableGateway.start(
                        temporary.path(), DemoPorts.near(8080), DemoPorts.near(8081), service.url())) {
            Demo.Participants participants = new Demo.Participants(gateway, service, twin);
            return Demo.run(participants, duration, chosenSeed, System.out).isExactlyOnce() ? 0 : 1;
        } catch (InterruptedException early) {
            return 0;
        }
    }

    private Integer runMessages() throws Exception {
        Duration duration = seconds == null ? Demo.UNTIL_INTERRUPTED : Duration.ofSeconds(seconds);
        long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1_000_000) : seed;
        System.out.println("Starting a PostgreSQL, two brokers and two shops ...");
        try (TemporaryFolder temporary = TemporaryFolder.create("semel-demo");
                PostgresServer server =
                        PostgresServer.startFromClassPath(temporary.path().resolve("postgres"))) {
            MessagesDemo.Databases databases =
                    new MessagesDemo.Databases(created(server, "with_semel"), created(server, "without"));
            return MessagesDemo.run(databases, temporary.path(), duration, chosenSeed, System.out)
                            .isExactlyOnce()
                    ? 0
                    : 1;
        } catch (InterruptedException early) {
            return 0;
        }
    }

    private static String created(PostgresServer server, String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + database);
        }
        return server.jdbcUrl(database);
    }
}
