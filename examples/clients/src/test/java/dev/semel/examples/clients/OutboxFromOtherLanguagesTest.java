package dev.semel.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** The programs in examples/psql, examples/node and examples/python: one SQL call appends a message, and one receives it once. */
@Timeout(120)
class OutboxFromOtherLanguagesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("semel.root", "../..")).toAbsolutePath();
    private static final Path PACKAGES = Path.of("target", "messaging-clients").toAbsolutePath();

    @Test
    @SuppressWarnings("try") // a relay that runs is all that is asked of it
    void what_other_languages_append_is_sent_and_what_they_receive_takes_effect_once(@TempDir Path folder)
            throws Exception {
        Command.run(ROOT, "bash", "scripts/messaging-clients.sh", PACKAGES.toString())
                .succeeded();
        try (PostgresServer server = PostgresServer.startFromClassPath(folder, "fsync=off")) {
            PGSimpleDataSource database = new PGSimpleDataSource();
            database.setUrl(server.jdbcUrl());
            Outbox outbox = Outbox.open(database);
            Inbox.open(database, new InboxWindow(Duration.ofDays(30)));
            execute(server, "create table orders (id text primary key, state text not null)");
            execute(server, "create table bills (order_id text)");

            Map<String, List<String>> programs = Map.of(
                    "node",
                            List.of(
                                    "node",
                                    ROOT.resolve("examples/node/outbox.mjs").toString()),
                    "python",
                            List.of(
                                    "/usr/bin/python3",
                                    ROOT.resolve("examples/python/outbox.py").toString()));
            List<String> appended = new ArrayList<>();
            appended.add(psql(server));
            for (String language : List.of("node", "python"))
                appended.add(run(server, programs.get(language), "of-" + language));

            BlockingQueue<OutgoingMessage> arrived = new LinkedBlockingQueue<>();
            MemoryBroker broker = new MemoryBroker();
            broker.refuse(message -> {
                arrived.add(message);
                return null;
            });
            try (Relay relay = Relay.from(outbox).to(broker).start()) {
                while (!appended.isEmpty()) assertRight(arrived.take(), appended);
            }
            assertEquals(List.of(), appended, "each arrives once");

            for (List<String> program : programs.values()) {
                String id = run(server, program, "order-9");
                assertEquals("billed", run(server, program, "order-9", id));
                assertEquals("had it already", run(server, program, "order-9", id));
            }
            assertEquals("2", execute(server, "select count(*)::text from bills"));
        }
    }

    private static void assertRight(OutgoingMessage message, List<String> expected) throws Exception {
        assertTrue(expected.remove(message.id().toString()), message.id().toString());
        assertEquals("orders", message.topic());
        assertEquals("order.paid", message.type());
        assertEquals(Map.of("content-type", "application/json"), message.headers());
        String order = new ObjectMapper()
                .readTree(new String(message.payload(), UTF_8))
                .path("order")
                .asText();
        assertEquals(message.key(), order);
    }

    private static String url(PostgresServer server) {
        return "postgresql://postgres@127.0.0.1:" + server.port() + "/postgres";
    }

    private static String psql(PostgresServer server) throws Exception {
        String script = ROOT.resolve("examples/psql/outbox.sql").toString();
        return Command.run(PACKAGES, "psql", "-q", "-A", "-t", "-v", "order=of-psql", "-f", script, url(server))
                .succeeded()
                .strip();
    }

    private static String run(PostgresServer server, List<String> program, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(List.of("env", "DATABASE_URL=" + url(server)));
        line.addAll(program);
        line.addAll(List.of(arguments));
        return Command.run(PACKAGES, line.toArray(String[]::new)).succeeded().strip();
    }

    private static String execute(PostgresServer server, String sql) throws Exception {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) return "";
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
