package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.messaging.tables.OutboxTables.Holds;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.OutboxTables.ParkedRow;
import dev.semel.testkit.postgres.PgBouncer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A pooler that gives each transaction another session, and a database that is not the one it was a moment ago. */
@ExtendWith(SharedPostgres.class)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
@Timeout(60)
class RelayOnOddServersTest {
    private static final RelaySettings QUICK = RelaySettings.DEFAULT
            .withLease(Duration.ofSeconds(2))
            .withPolls(Duration.ofMillis(2), Duration.ofMillis(20));

    private final MemoryBroker broker = new MemoryBroker();

    @Test
    void behind_pgbouncer_two_relays_send_all_in_order_and_the_inbox_knows_duplicates(@TempDir Path folder)
            throws Exception {
        String name = name(SharedPostgres.freshUrl());
        try (PgBouncer bouncer = PgBouncer.start(folder, SharedPostgres.server(), 4);
                HikariDataSource database = SharedPostgres.pool(bouncer.jdbcUrl(name))) {
            Outbox outbox = Outbox.open(database);
            List<UUID> ids = new ArrayList<>();
            try (Relay one = Relay.from(outbox).to(broker).with(QUICK).start();
                    Relay other = Relay.from(outbox).to(broker).with(QUICK).start()) {
                for (int i = 0; i < 200; i++) ids.add(append(database, outbox, "k" + i % 7, i));
                await(() -> broker.taken().size() >= ids.size());
            }
            assertEquals(Set.copyOf(ids), sent());
            for (int key = 0; key < 7; key++) {
                List<Integer> bodies = bodies("k" + key);
                assertEquals(bodies.stream().sorted().toList(), bodies);
            }
            Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(1)));
            for (int round = 0; round < 2; round++)
                try (Connection connection = database.getConnection()) {
                    connection.setAutoCommit(false);
                    List<String> all = ids.stream().map(UUID::toString).toList();
                    assertEquals(
                            round == 0 ? 200 : 0,
                            inbox.firstTimes(connection, "billing", all).size());
                    connection.commit();
                }
        }
    }

    @Test
    void after_a_restore_what_was_appended_since_the_copy_is_sent_although_its_numbers_were_there_before()
            throws Exception {
        String now = SharedPostgres.freshUrl();
        String copy = "copy" + UUID.randomUUID().toString().replace("-", "");
        AtomicReference<DataSource> current = new AtomicReference<>();
        try (HikariDataSource database = SharedPostgres.pool(now)) {
            current.set(database);
            Outbox outbox = Outbox.open(database);
            append(database, outbox, "k", 0);
        }
        try (Connection connection =
                        DriverManager.getConnection(SharedPostgres.server().jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + copy + " template " + name(now));
        }
        try (HikariDataSource database = SharedPostgres.pool(now);
                HikariDataSource restored =
                        SharedPostgres.pool(SharedPostgres.server().jdbcUrl(copy))) {
            current.set(database);
            Outbox outbox = Outbox.open(following(current));
            try (Relay relay = Relay.from(outbox).to(broker).with(QUICK).start()) {
                for (int i = 1; i <= 100; i++) append(database, outbox, "k", i);
                await(() -> broker.taken().size() == 101);
                // Until a mark was taken and the floors have risen.
                for (int i = 101; i < 110; i++) {
                    append(database, outbox, "k", i);
                    int sent = i + 1;
                    await(() -> broker.taken().size() == sent);
                    LockSupport.parkNanos(Duration.ofMillis(120).toNanos());
                }
                current.set(restored);
                append(restored, outbox, "k", 1000);
                await(() -> bodies("k").contains(1000));
            }
        }
    }

    @Test
    void an_answer_from_before_a_fail_over_deletes_nothing_that_got_the_same_number_since() throws Exception {
        try (HikariDataSource database = SharedPostgres.pool(SharedPostgres.freshUrl());
                Connection relay = database.getConnection()) {
            Outbox outbox = Outbox.open(database);
            List<ShardLease> leases = outbox.tables()
                    .renew(relay, "relay", List.of(), List.of(), Duration.ofMinutes(1))
                    .held();
            append(database, outbox, "k", 1);
            List<OutboxRow> sent = outbox.tables().reader().read(relay, leases, Holds.NONE, 10).values().stream()
                    .flatMap(List::stream)
                    .toList();
            // What an asynchronous copy of the database has not got yet: the message, and that its number was drawn.
            try (Statement statement = relay.createStatement()) {
                statement.execute("delete from semel.outbox");
                statement.execute("alter sequence semel.outbox_id restart");
            }
            append(database, outbox, "k", 2);
            outbox.tables().deleteSent(relay, leases, sent);
            outbox.tables()
                    .park(
                            relay,
                            leases,
                            sent.stream()
                                    .map(row -> new ParkedRow(row, "refused", "not taken", 1))
                                    .toList());
            assertEquals(1, outbox.status().waiting());
            assertEquals(0, outbox.status().deadLetters());
        }
    }

    private static String name(String url) {
        return url.substring(url.lastIndexOf('/') + 1, url.indexOf('?'));
    }

    /** Always the database that it is told to be. */
    private static DataSource following(AtomicReference<DataSource> current) {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(current.get(), arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static UUID append(DataSource database, Outbox outbox, String key, int body) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            UUID id = outbox.append(
                    connection,
                    Message.of("orders", "order.paid", Integer.toString(body).getBytes(UTF_8))
                            .withKey(key));
            connection.commit();
            return id;
        } finally {
            outbox.committed();
        }
    }

    private Set<UUID> sent() {
        return broker.taken().stream().map(OutgoingMessage::id).collect(Collectors.toSet());
    }

    private List<Integer> bodies(String key) {
        return broker.taken().stream()
                .filter(message -> key.equals(message.key()))
                .map(message -> Integer.parseInt(new String(message.payload(), UTF_8)))
                .toList();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted()) throw new IllegalStateException("interrupted while waiting");
            LockSupport.parkNanos(2_000_000);
        }
    }
}
