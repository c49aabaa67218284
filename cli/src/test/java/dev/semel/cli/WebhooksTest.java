package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.relay.RelayServer;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The command as an operator types it. Alone, for it looks at what the process prints. */
@Isolated
@Timeout(120)
class WebhooksTest {
    private record Said(int code, String out, String err) {}

    @Test
    void endpoints_are_added_and_looked_after_and_deliveries_are_seen_and_repeated(@TempDir Path folder)
            throws Exception {
        HttpServer receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        receiver.createContext("/", exchange -> {
            byte[] answer = "not today".getBytes(UTF_8);
            exchange.sendResponseHeaders(410, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        receiver.start();
        try (PostgresServer server = PostgresServer.startFromClassPath(folder)) {
            String store = server.jdbcUrl();
            String url = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hooks?token=hidden";
            assertTrue(semel("endpoints", "list", "--store", store).err().contains("There are no tables of webhooks"));
            Said added = semel("endpoints", "add", url, "--topic", "orders*", "--in-order", "--store", store);
            assertEquals(0, added.code(), added.err());
            String secret = added.out().replaceAll("(?s).*(whsec_\\S+).*", "$1");
            assertTrue(secret.startsWith("whsec_"), added.out());
            String id = added.out().replaceAll("(?s).*Added endpoint (\\S+)\\..*", "$1");

            Said updated = semel("endpoints", "update", id, "--timeout", "5", "--tenant", "acme", "--store", store);
            assertEquals(0, updated.code(), updated.err());
            String shown = semel("endpoints", "show", id, "--store", store).out();
            assertTrue(shown.contains("5000 ms") && shown.contains("acme") && shown.contains("by key"), shown);
            assertTrue(shown.contains("orders*") && shown.contains("not encrypted"), shown);
            assertEquals(
                    0,
                    semel("endpoints", "update", id, "--tenant", "", "--store", store)
                            .code());
            String rotated = semel("secrets", "rotate", id, "--ed25519", "--store", store)
                    .out();
            assertTrue(rotated.contains("whpk_") && !rotated.contains("whsk_"), rotated);
            String list = semel("endpoints", "list", "--store", store).out();
            assertTrue(list.contains("enabled") && !list.contains("hidden"), list);
            assertFalse((list + shown).contains(secret), list);

            String message;
            try (RelayServer relay = RelayServer.start(options(store))) {
                assertEquals("webhooks", relay.brokerName());
                message = append(server);
                while (!semel("endpoints", "list", "--store", store).out().contains("disabled")) {
                    LockSupport.parkNanos(10_000_000);
                    if (Thread.interrupted()) throw new InterruptedException("The endpoint was not disabled.");
                }
            }
            assertTrue(semel("endpoints", "show", id, "--store", store).out().contains("it answered 410 Gone"));
            String deliveries = semel("deliveries", "list", "--state", "open", "--store", store)
                    .out();
            assertTrue(deliveries.contains(message) && deliveries.contains("HTTP status 410"), deliveries);
            String attempts =
                    semel("deliveries", "show", message, "--store", store).out();
            assertTrue(attempts.contains("410") && attempts.contains("not today"), attempts);
            assertEquals(
                    1,
                    semel("deliveries", "redrive", id, "--all", "--store", store)
                            .code(),
                    "none is dead");
            assertEquals(
                    1,
                    semel("deliveries", "drop", id, "--message", message, "--store", store)
                            .code());

            assertEquals(0, semel("endpoints", "enable", id, "--store", store).code());
            assertEquals(
                    0,
                    semel("endpoints", "disable", id, "--reason", "on leave", "--store", store)
                            .code());
            assertEquals(2, semel("endpoints", "remove", id, "--store", store).code(), "without --yes");
            assertEquals(
                    0,
                    semel("endpoints", "remove", id, "--yes", "--store", store).code());
            assertEquals(1, semel("endpoints", "enable", id, "--store", store).code());
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void mistakes_are_told_in_a_sentence() {
        assertTrue(semel("endpoints", "show", "abc").err().contains("'abc' is no id of an endpoint"));
        assertTrue(semel("deliveries", "list", "--state", "lost", "--store", "jdbc:postgresql://h/d")
                .err()
                .contains("--state is open"));
        assertTrue(semel("endpoints", "list", "--store", "jdbc:mariadb://h/d")
                .err()
                .contains("They need an outbox in PostgreSQL"));
        String id = UUID.randomUUID().toString();
        assertTrue(semel("endpoints", "disable", id, "--store", "jdbc:postgresql://h/d")
                .err()
                .contains("Give --reason"));
        assertTrue(semel("deliveries", "redrive", id, "--store", "jdbc:postgresql://h/d")
                .err()
                .contains("--all"));
        assertEquals(
                3,
                semel("endpoints", "list", "--store", "jdbc:postgresql://127.0.0.1:1/x")
                        .code());
    }

    private static RelayServer.Options options(String store) {
        return new RelayServer.Options(
                store,
                "webhook:?http=true&allow=127.0.0.1",
                "shop",
                "relay",
                new InetSocketAddress("127.0.0.1", 0),
                RelaySettings.DEFAULT);
    }

    private static String append(PostgresServer postgres) throws Exception {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select semel.append(topic => 'orders', key => 'order-1',"
                        + " type => 'order.paid', payload => convert_to('{}', 'UTF8'))")) {
            row.next();
            return row.getString(1);
        }
    }

    private static Said semel(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "webhooks";
        System.arraycopy(arguments, 0, line, 1, arguments.length);
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        try {
            System.setOut(new PrintStream(said, true, UTF_8));
            System.setErr(new PrintStream(complained, true, UTF_8));
            int code = Main.run(line);
            return new Said(code, said.toString(UTF_8), complained.toString(UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
