package dev.semel.examples.demo.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.relay.RelaySettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A shop as a process, which can be killed: it reads orders, a line each, and says which of them it has placed. The two kinds
 * differ in nothing but how they tell of an order.
 */
final class ShopMain {
    /** Told of in the transaction of the order; a relay in the process sends it. */
    static final String OUTBOX = "outbox";

    /** Told of after the commit, and again when there is no answer: what most services do. */
    static final String SEND_AFTER_COMMIT = "send-after-commit";

    private static final int TRIES = 3;
    private static final Duration BETWEEN_TRIES = Duration.ofMillis(150);

    private static final RelaySettings QUICK = RelaySettings.DEFAULT
            .withLease(Duration.ofSeconds(3))
            .withPauses(Duration.ofMillis(50), Duration.ofMillis(500));

    private interface Telling {
        /** In the transaction. */
        void before(Connection transaction, OrderPlaced order) throws SQLException;

        void after(OrderPlaced order) throws InterruptedException;
    }

    private ShopMain() {}

    /** @param arguments the kind, the URL of its database, the port of the broker */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        BadBrokerClient broker = new BadBrokerClient(Integer.parseInt(arguments[2]));
        HikariDataSource database = database(arguments[1]);
        Telling telling = arguments[0].equals(OUTBOX) ? byOutbox(database, broker) : afterCommit(broker);
        answers.println("ready");
        answers.flush();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line; (line = orders.readLine()) != null; ) {
                OrderPlaced order = OrderPlaced.parse(line);
                threads.execute(() -> place(database, order, telling, answers));
            }
        } finally {
            // Whoever has started it is gone.
            Runtime.getRuntime().halt(0);
        }
    }

    private static HikariDataSource database(String url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(8);
        return new HikariDataSource(config);
    }

    private static void place(HikariDataSource database, OrderPlaced order, Telling telling, PrintStream answers) {
        try {
            if (insert(database, order, telling)) telling.after(order);
            answers.println(order.id());
            answers.flush();
        } catch (SQLException e) {
            System.err.println("The customer will try again: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return false when the order is there already: its customer did not get the answer */
    private static boolean insert(HikariDataSource database, OrderPlaced order, Telling telling) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement(
                    "insert into placed_order (id, cents) values (?, ?) on conflict do nothing")) {
                insert.setString(1, order.id());
                insert.setLong(2, order.cents());
                if (insert.executeUpdate() == 0) return false;
            }
            telling.before(connection, order);
            connection.commit();
            return true;
        }
    }

    private static Telling byOutbox(HikariDataSource database, BadBrokerClient broker) throws SQLException {
        Outbox outbox = Outbox.open(database);
        Relay.from(outbox).to(broker).with(QUICK).start();
        return new Telling() {
            @Override
            public void before(Connection transaction, OrderPlaced order) throws SQLException {
                outbox.append(
                        transaction,
                        Message.of("orders", "order.placed", order.line().getBytes(UTF_8))
                                .withKey(order.id()));
            }

            @Override
            public void after(OrderPlaced order) {
                outbox.committed();
            }
        };
    }

    private static Telling afterCommit(BadBrokerClient broker) {
        return new Telling() {
            @Override
            public void before(Connection transaction, OrderPlaced order) {}

            @Override
            public void after(OrderPlaced order) throws InterruptedException {
                String id = UUID.randomUUID().toString();
                for (int i = 0; i < TRIES; i++)
                    try {
                        broker.send(id, order);
                        return;
                    } catch (IOException e) {
                        Thread.sleep(BETWEEN_TRIES);
                    }
                System.err.println("Gave up telling of " + order.id());
            }
        };
    }
}
