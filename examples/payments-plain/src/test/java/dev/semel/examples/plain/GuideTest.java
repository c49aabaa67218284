package dev.semel.examples.plain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.semel.core.DurableOperation;
import dev.semel.core.FailurePolicy;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.examples.plain.Shop.CardDeclined;
import dev.semel.examples.plain.Shop.Receipt;
import dev.semel.json.Json;
import dev.semel.store.jdbc.PostgresKeyStore;
import dev.semel.testkit.postgres.PostgresServer;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** What the README and the guide to the library show, as it runs. */
class GuideTest {
    record Order(String card, BigDecimal amount) {}

    record Charge(String id) {}

    record Parcel(String number) {}

    static final class OutOfStock extends Exception {
        private static final long serialVersionUID = 1;

        OutOfStock(String message) {
            super(message);
        }
    }

    private static final Shop.Charge TEN = new Shop.Charge("4242", new BigDecimal("10.00"));

    @TempDir
    static Path folder;

    private static PostgresServer server;
    private static PGSimpleDataSource dataSource;

    private final List<String> seen = new ArrayList<>();

    @BeforeAll
    static void start() throws SQLException {
        server = PostgresServer.startFromClassPath(folder);
        dataSource = new PGSimpleDataSource();
        dataSource.setUrl(server.jdbcUrl());
        try (Connection connection = dataSource.getConnection();
                var statement = connection.createStatement()) {
            statement.execute("create table ledger (id serial primary key, card text, amount numeric)");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The service behind, which knows its keys. */
    private final class Bank {
        Receipt pay(Shop.Charge request, String key) {
            seen.add("pay " + key);
            return new Receipt("r-" + seen.size());
        }

        Charge charge(Order order, String key) {
            seen.add("charge");
            return new Charge("c-1");
        }

        void refund(Charge charge, String key) {
            seen.add("refund " + charge.id());
        }
    }

    private final class Warehouse {
        boolean empty;

        Parcel ship(Order order, Charge paid, String key) throws OutOfStock {
            if (empty) throw new OutOfStock("no books");
            seen.add("ship");
            return new Parcel("p-1");
        }
    }

    private static final class Ledger {
        Receipt insert(Connection connection, Shop.Charge request) throws SQLException {
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into ledger (card, amount) values (?, ?) returning id")) {
                insert.setString(1, request.card());
                insert.setBigDecimal(2, request.amount());
                try (ResultSet row = insert.executeQuery()) {
                    row.next();
                    return new Receipt("ledger-" + row.getInt(1));
                }
            }
        }
    }

    private final Bank bank = new Bank();
    private final Warehouse warehouse = new Warehouse();
    private final Ledger ledger = new Ledger();

    @Test
    void an_operation() {
        Shop.Charge request = TEN;
        String orderId = "o-1";
        for (int i = 0; i < 3; i++)
            try (KeyStore store = PostgresKeyStore.open(dataSource);
                    Semel semel = Semel.on(store).start()) {
                Operation<Receipt> charge =
                        semel.operation("charge", Json.codec(Receipt.class)).withRetention(Duration.ofDays(7));
                Receipt receipt =
                        charge.once(orderId, request, attempt -> bank.pay(request, attempt.downstreamKey("bank")));
            }
        assertEquals(1, seen.size());
    }

    @Test
    void in_a_transaction() throws SQLException {
        Shop.Charge request = TEN;
        String orderId = "o-2";
        try (KeyStore store = PostgresKeyStore.open(dataSource);
                Semel semel = Semel.on(store).start()) {
            Operation<Receipt> charge = semel.operation("charge", Json.codec(Receipt.class));
            for (int i = 0; i < 3; i++)
                try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(false);
                    Receipt receipt = charge.joining(connection)
                            .once(orderId, request, attempt -> ledger.insert(connection, request));
                    connection.commit();
                    assertEquals(new Receipt("ledger-1"), receipt);
                }
        }
    }

    @Test
    void in_a_transaction_of_its_own() throws SQLException {
        Shop.Charge request = TEN;
        String orderId = "o-2";
        DataSource database = dataSource;
        try (KeyStore store = PostgresKeyStore.open(dataSource);
                Semel semel = Semel.on(store).start()) {
            Operation<Receipt> charge = semel.operation("charge", Json.codec(Receipt.class));
            for (int i = 0; i < 3; i++) {
                Receipt receipt = charge.transacting(database)
                        .once(orderId, request, (attempt, transaction) -> ledger.insert(transaction, request));
                assertEquals(new Receipt("ledger-1"), receipt);
            }
        }
    }

    @Test
    void exceptions() throws Exception {
        try (Semel semel = Semel.on(new InMemoryKeyStore()).start()) {
            Operation<Receipt> charge = semel.operation("charge", Json.codec(Receipt.class))
                    .withRetention(Duration.ofDays(7))
                    .withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(CardDeclined.class));
            Operation<Receipt> careful = charge.withFailures(
                    FailurePolicy.ALL_IN_DOUBT.permanent(CardDeclined.class).transients(ConnectException.class));
            assertThrows(
                    ConnectException.class,
                    () -> careful.once("o-3", TEN, attempt -> {
                        throw new ConnectException("nobody there");
                    }));
            assertThrows(
                    CardDeclined.class,
                    () -> careful.once("o-3", TEN, attempt -> {
                        throw new CardDeclined("no funds");
                    }));
            assertThrows(CardDeclined.class, () -> careful.once("o-3", TEN, attempt -> new Receipt("never")));
        }
    }

    @Test
    void steps() throws Exception {
        Order order = new Order("4242", new BigDecimal("10.00"));
        String orderId = "o-4";
        try (Semel semel = Semel.on(new InMemoryKeyStore()).start()) {
            DurableOperation<Order, Parcel> checkout = semel.operation("checkout", Json.codec(Parcel.class))
                    .withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(OutOfStock.class))
                    .durable(Json.codec(Order.class), (request, attempt) -> {
                        Charge paid = attempt.step(
                                "charge",
                                Charge.class,
                                step -> bank.charge(request, step.downstreamKey()),
                                (charge, undo) -> bank.refund(charge, undo.downstreamKey()));
                        return attempt.step(
                                "ship", Parcel.class, step -> warehouse.ship(request, paid, step.downstreamKey()));
                    });

            Parcel parcel = checkout.once(orderId, order);
            assertEquals(parcel, checkout.once(orderId, order));
            assertEquals(List.of("charge", "ship"), seen);
            warehouse.empty = true;
            for (int i = 0; i < 3; i++) assertThrows(OutOfStock.class, () -> checkout.once("o-5", order));
            assertEquals(List.of("charge", "ship", "charge", "refund c-1"), seen);
        }
    }

    /** The README's second attempt, and why it is not enough. */
    @Test
    void by_hand() {
        Map<String, String> table = new HashMap<>();
        assertEquals("charged", byHand(Table.of(table), "o-1", "ten"));
        assertEquals("charged", byHand(Table.of(table), "o-1", "ten"));
    }

    interface Table {
        boolean contains(String key);

        String get(String key);

        void put(String key, String response);

        static Table of(Map<String, String> map) {
            return new Table() {
                @Override
                public boolean contains(String key) {
                    return map.containsKey(key);
                }

                @Override
                public String get(String key) {
                    return map.get(key);
                }

                @Override
                public void put(String key, String response) {
                    map.put(key, response);
                }
            };
        }
    }

    private static String byHand(Table table, String key, String request) {
        if (table.contains(key)) return table.get(key);
        String response = charge(request);
        table.put(key, response);
        return response;
    }

    private static String charge(String request) {
        return "charged";
    }
}
