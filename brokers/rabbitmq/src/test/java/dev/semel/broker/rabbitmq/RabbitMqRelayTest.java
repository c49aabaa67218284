package dev.semel.broker.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.RetrySettings;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.relay.RelaySettings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** From transactions to effects, with a real database and a real RabbitMQ that is killed. */
@ExtendWith(SharedRabbitMq.class)
@Timeout(120)
@SuppressWarnings("try")
class RabbitMqRelayTest {
    private static final int WRITERS = 4;
    private static final int TRANSACTIONS = 120;
    private static final RelaySettings RELAYING =
            RelaySettings.DEFAULT.withPauses(Duration.ofMillis(100), Duration.ofSeconds(1));

    private final String queue = SharedRabbitMq.newQueue(Map.of());
    private final String dead = SharedRabbitMq.newQueue(Map.of());

    @Test
    void every_committed_message_takes_effect_once_and_in_order_while_rabbitmq_is_killed() throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        List<ConsumerEvent> parked = new CopyOnWriteArrayList<>();
        try (HikariDataSource database = database();
                RabbitMqBroker broker = RabbitMqBroker.open(
                        SharedRabbitMq.server().url() + "/?connect-timeout=2s&publish-timeout=3s", "/orders")) {
            run(database, "create table effect (n serial, key text, number int)");
            run(database, "create table counter (key text primary key, number int)");
            for (int key = 0; key < 7; key++) run(database, "insert into counter values ('k" + key + "', 0)");
            Outbox outbox = Outbox.open(database);
            Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(1)));
            Receiver receiver = Receiver.of(inbox, "billing", RabbitMqRelayTest::effect);
            try (Relay relay = Relay.from(outbox).to(broker).with(RELAYING).start();
                    RabbitMqConsumer consumer = RabbitMqConsumer.of(receiver)
                            .from(SharedRabbitMq.server().url(), queue)
                            .deadLettersTo(dead)
                            .with(new RetrySettings(5, Duration.ofMillis(50), Duration.ofSeconds(1)))
                            .heardBy(event -> {
                                if (event instanceof ConsumerEvent.Parked) parked.add(event);
                            })
                            .start()) {
                List<Thread> writers = new ArrayList<>();
                for (int i = 0; i < WRITERS; i++) {
                    Random random = new Random(seed + i);
                    writers.add(Thread.ofPlatform().start(() -> write(database, outbox, random)));
                }
                while (count(database, "effect") < 50) Thread.onSpinWait();
                SharedRabbitMq.server().kill9();
                SharedRabbitMq.server().restart();
                for (Thread writer : writers) writer.join();
                int committed = sum(database);
                assertTrue(committed > 100, "too few: " + committed);
                while (count(database, "effect") < committed || count(database, "semel.outbox") > 0)
                    Thread.onSpinWait();
            }
            assertEquals(List.of(), parked);
            assertEquals(expected(database), effects(database), "in order, each once");
        }
    }

    /** Each transaction numbers its messages by a row per key, which it holds until it ends. */
    private void write(HikariDataSource database, Outbox outbox, Random random) {
        for (int i = 0; i < TRANSACTIONS; i++)
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                String key = "k" + random.nextInt(7);
                for (int n = random.nextInt(1, 4); n > 0; n--) {
                    int number = next(connection, key);
                    outbox.append(
                            connection,
                            Message.of(
                                            queue,
                                            "order.paid",
                                            Integer.toString(number).getBytes(UTF_8))
                                    .withKey(key));
                }
                if (random.nextInt(10) == 0) connection.rollback();
                else connection.commit();
                outbox.committed();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
    }

    private static int next(Connection connection, String key) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update counter set number = number + 1 where key = ? returning number")) {
            update.setString(1, key);
            try (ResultSet row = update.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void effect(Connection transaction, IncomingMessage message) throws SQLException {
        try (PreparedStatement insert =
                transaction.prepareStatement("insert into effect (key, number) values (?, ?)")) {
            insert.setString(1, message.key());
            insert.setInt(2, Integer.parseInt(new String(message.payload(), UTF_8)));
            insert.executeUpdate();
        }
    }

    private static Map<String, List<Integer>> expected(HikariDataSource database) throws SQLException {
        Map<String, List<Integer>> expected = new TreeMap<>();
        query(database, "select key, number from counter", row -> {
            List<Integer> numbers = new ArrayList<>();
            for (int i = 1; i <= row.getInt(2); i++) numbers.add(i);
            expected.put(row.getString(1), numbers);
        });
        return expected;
    }

    private static Map<String, List<Integer>> effects(HikariDataSource database) throws SQLException {
        Map<String, List<Integer>> effects = new TreeMap<>();
        query(
                database,
                "select key, number from effect order by n",
                row -> effects.computeIfAbsent(row.getString(1), it -> new ArrayList<>())
                        .add(row.getInt(2)));
        return effects;
    }

    private static int count(HikariDataSource database, String table) throws SQLException {
        int[] count = {0};
        query(database, "select count(*) from " + table, row -> count[0] = row.getInt(1));
        return count[0];
    }

    private static int sum(HikariDataSource database) throws SQLException {
        int[] sum = {0};
        query(database, "select sum(number) from counter", row -> sum[0] = row.getInt(1));
        return sum[0];
    }

    @FunctionalInterface
    private interface Row {
        void read(ResultSet row) throws SQLException;
    }

    private static void query(HikariDataSource database, String sql, Row each) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) each.read(rows);
        }
    }

    private static void run(HikariDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static HikariDataSource database() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(SharedRabbitMq.freshDatabase());
        config.setMaximumPoolSize(16);
        return new HikariDataSource(config);
    }
}
