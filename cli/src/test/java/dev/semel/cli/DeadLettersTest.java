package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.testkit.mariadb.MariaDbServer;
import dev.semel.testkit.postgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** The command as an operator types it. Alone, for it looks at what the process prints. */
@Isolated
@SuppressWarnings("try") // a relay that runs is all that is asked of it
@Timeout(120)
class DeadLettersTest {
    private record Said(int code, String out, String err) {}

    @Test
    void letters_are_listed_shown_sent_again_and_dropped(@TempDir Path folder) throws Exception {
        try (PostgresServer server = PostgresServer.startFromClassPath(folder)) {
            manage(server.jdbcUrl());
        }
    }

    @Test
    void the_same_in_mariadb(@TempDir Path folder) throws Exception {
        try (MariaDbServer server = MariaDbServer.start(folder)) {
            manage(server.jdbcUrl().replace("jdbc:mariadb:", "jdbc:mysql:"));
        }
    }

    private static void manage(String url) throws Exception {
        Said none = semel("list", "--store", url);
        assertEquals(2, none.code());
        assertTrue(none.err().contains("There is no outbox in this database"), none.err());
        try (HikariDataSource database = OutboxOptions.open(url)) {
            Outbox outbox = Outbox.open(database);
            assertEquals(
                    "There are no dead letters.\n",
                    semel("list", "--store", url).out());
            MemoryBroker broker = new MemoryBroker();
            broker.refuse(message -> new Delivery.Dead("too-large", "the limit of orders is 10 bytes"));
            List<UUID> ids = append(database, outbox);
            try (Relay relay = Relay.from(outbox).to(broker).start()) {
                while (outbox.status().deadLetters() < 2) LockSupport.parkNanos(5_000_000);
                String list =
                        semel("list", "--store", url, "--kind", "too-large").out();
                assertTrue(list.contains(ids.getFirst().toString()), list);
                assertFalse(list.contains(ids.get(1).toString()), list);
                String json = semel("list", "--store", url, "--json").out();
                assertTrue(json.startsWith("[{\"id\":\"" + ids.getFirst() + "\""), json);
                assertTrue(semel("show", ids.getFirst().toString(), "--store", url)
                        .out()
                        .endsWith("\npaid 19.99 EUR\n"));
                assertEquals(
                        1,
                        semel("show", UUID.randomUUID().toString(), "--store", url)
                                .code());

                Said dry = semel("redrive", "--store", url, "--kind", "too-large", "--dry-run");
                assertEquals("Would send 2 letters of 1 keys.\n", dry.out());
                assertEquals(2, semel("redrive", "--store", url, "--all").code(), "without a reason");
                assertEquals(0, broker.taken().size());

                assertEquals(
                        0,
                        semel("drop", ids.getFirst().toString(), "--store", url, "--reason", "a test")
                                .code());
                broker.refuse(message -> null);
                Said begun = semel("redrive", "--store", url, "--all", "--reason", "mended");
                assertTrue(begun.out().startsWith("Redrive 1 sends 1 letters of 1 keys"), begun.out());
                while (broker.taken().isEmpty()) LockSupport.parkNanos(5_000_000);
                assertEquals(ids.get(1), broker.taken().getFirst().id());
                assertTrue(semel("redrive", "--store", url, "--status").out().contains("mended"));
            }
        }
    }

    @Test
    void mistakes_are_told_in_a_sentence() {
        assertTrue(semel("list", "--store", "redis://h").err().contains("There is no outbox at redis://h."));
        assertTrue(semel("show", "abc").err().contains("'abc' is no id of a message"));
        Said unreachable = semel("list", "--store", "jdbc:postgresql://127.0.0.1:1/x?password=hidden");
        assertEquals(3, unreachable.code());
        assertFalse(unreachable.err().contains("hidden"), unreachable.err());
    }

    private static List<UUID> append(HikariDataSource database, Outbox outbox) throws Exception {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            Message message = Message.of("orders", "order.paid", "paid 19.99 EUR".getBytes(UTF_8))
                    .withKey("order-1");
            List<UUID> ids = outbox.append(connection, List.of(message, message));
            connection.commit();
            return ids;
        }
    }

    private static Said semel(String... arguments) {
        String[] line = new String[arguments.length + 1];
        line[0] = "dead-letters";
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
