package dev.semel.testkit.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.relay.RelayRun;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.messaging.relay.Wakeup;
import dev.semel.messaging.tables.OutboxTables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Writers, relays and a broker at work while things go wrong, and then the question whether all that was committed has arrived,
 * in order, and nothing else. Writers have transactions of random length, rollbacks, and savepoints that they return to; those who
 * write the same key wait for each other. Relays lose their database and get it back. One message of some keys is refused until the
 * broker is mended, and then sent again as a dead letter.
 */
public final class LossCheck {
    private static final int WRITERS = 6;
    private static final int RELAYS = 3;
    private static final int KEYS = 8;
    private static final int POISONED_KEYS = 3;
    private static final int POISON = 3;
    private static final RelaySettings SETTINGS = RelaySettings.DEFAULT
            .withLease(Duration.ofSeconds(1))
            .withBatch(20)
            .withPolls(Duration.ofMillis(2), Duration.ofMillis(20))
            .withPauses(Duration.ofMillis(5), Duration.ofMillis(50));

    private final DataSource database;
    private final Outbox outbox;
    private final OutboxTables tables;
    private final long seed;
    private final Duration patience;
    private final MemoryBroker broker = new MemoryBroker();
    private final AtomicBoolean over = new AtomicBoolean();

    /**
     * @param tables as the relays see them
     * @param patience how long the last messages may take once nothing goes wrong any more
     */
    public LossCheck(DataSource database, OutboxTables tables, long seed, Duration patience) throws SQLException {
        this.database = database;
        this.outbox = Outbox.open(database);
        this.tables = tables;
        this.seed = seed;
        this.patience = patience;
    }

    /** What may go wrong beside. */
    @FunctionalInterface
    public interface Disturbance {
        void strike() throws Exception;
    }

    /**
     * What came of it.
     *
     * @param committed how many messages
     * @param problems none when all is well
     */
    public record Result(int committed, List<String> problems) {}

    /** @param disturbance called again and again, a second apart */
    public Result run(Duration length, Disturbance disturbance) throws Exception {
        execute("create table counter (k varchar(20) primary key, n int not null)");
        execute("create table told (id varchar(36) primary key, k varchar(20) not null, n int not null)");
        for (int key = 0; key < KEYS; key++) execute("insert into counter values ('k" + key + "', 0)");
        broker.refuse(message -> isPoison(message) ? new Delivery.Dead("poison", "refused") : null);
        List<CuttableDatabase> connections = new ArrayList<>();
        List<RelayRun> relays = new ArrayList<>();
        for (int i = 0; i < RELAYS; i++) {
            CuttableDatabase cuttable = new CuttableDatabase(database);
            connections.add(cuttable);
            relays.add(RelayRun.start(
                    "relay" + i,
                    cuttable.asDataSource(),
                    tables,
                    broker,
                    SETTINGS,
                    RelayEvent.Listener.NONE,
                    new Wakeup()));
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                Random random = new Random(seed + i);
                writers.add(CompletableFuture.runAsync(() -> write(random), threads));
            }
            disturb(length, connections, disturbance);
            over.set(true);
            for (CompletableFuture<Void> writer : writers) writer.get();
            redrive();
            awaitAll();
        } finally {
            over.set(true);
            for (RelayRun relay : relays) relay.close(Duration.ofSeconds(5));
        }
        return new Result(told().size(), problems());
    }

    private static boolean isPoison(OutgoingMessage message) {
        return number(message) == POISON
                && Integer.parseInt(String.valueOf(message.key()).substring(1)) < POISONED_KEYS;
    }

    private static int number(OutgoingMessage message) {
        return Integer.parseInt(new String(message.payload(), UTF_8));
    }

    private void disturb(Duration length, List<CuttableDatabase> connections, Disturbance disturbance)
            throws Exception {
        Random random = new Random(seed - 1);
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0) {
            CuttableDatabase one = connections.get(random.nextInt(RELAYS));
            one.cut(true);
            LockSupport.parkNanos(Duration.ofMillis(600).toNanos());
            disturbance.strike();
            LockSupport.parkNanos(Duration.ofMillis(800).toNanos());
            one.cut(false);
        }
    }

    private void write(Random random) {
        while (!over.get()) {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    transaction(connection, random);
                    if (random.nextInt(10) == 0) connection.rollback();
                    else connection.commit();
                } catch (SQLException e) {
                    connection.rollback();
                }
            } catch (SQLException e) {
                // Whether it was committed is for the database to say in the end.
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    private void transaction(Connection connection, Random random) throws SQLException {
        TreeSet<Integer> keys = new TreeSet<>();
        for (int i = random.nextInt(3); i >= 0; i--) keys.add(random.nextInt(KEYS));
        if (random.nextInt(4) == 0) {
            Savepoint before = connection.setSavepoint();
            outbox.append(connection, message("k" + keys.first(), -1));
            connection.rollback(before);
        }
        outbox.append(connection, Message.of("orders", "unordered", "0".getBytes(UTF_8)));
        for (int key : keys) {
            tell(connection, "k" + key);
            LockSupport.parkNanos(random.nextInt(6_000_000));
        }
    }

    private void tell(Connection connection, String key) throws SQLException {
        int number;
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update counter set n = n + 1 where k = '" + key + "'");
            try (ResultSet row = statement.executeQuery("select n from counter where k = '" + key + "'")) {
                row.next();
                number = row.getInt(1);
            }
        }
        UUID id = outbox.append(connection, message(key, number));
        try (PreparedStatement insert = connection.prepareStatement("insert into told values (?, ?, ?)")) {
            insert.setString(1, id.toString());
            insert.setString(2, key);
            insert.setInt(3, number);
            insert.executeUpdate();
        }
    }

    private static Message message(String key, int number) {
        return Message.of("orders", "counted", Integer.toString(number).getBytes(UTF_8))
                .withKey(key);
    }

    /** The broker is mended, and what it refused is sent again. */
    private void redrive() throws SQLException {
        broker.refuse(message -> null);
        DeadLetters.of(outbox).redrive(LetterFilter.ALL, new Redrive.Pace(10_000, 0), "check", "mended");
    }

    private void awaitAll() throws SQLException {
        long end = System.nanoTime() + patience.toNanos();
        while (System.nanoTime() - end < 0) {
            if (outbox.status().waiting() == 0 && outbox.status().deadLetters() == 0) return;
            LockSupport.parkNanos(10_000_000);
        }
    }

    private record Told(String key, int number) {}

    private Map<String, Told> told() throws SQLException {
        Map<String, Told> told = new HashMap<>();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select id, k, n from told")) {
            while (row.next()) told.put(row.getString(1), new Told(row.getString(2), row.getInt(3)));
        }
        return told;
    }

    private List<String> problems() throws SQLException {
        Map<String, Told> told = told();
        Map<String, OutgoingMessage> arrived = new LinkedHashMap<>();
        for (OutgoingMessage message : broker.taken())
            if (message.key() != null) arrived.putIfAbsent(message.id().toString(), message);
        List<String> problems = new ArrayList<>();
        told.forEach((id, it) -> {
            if (!arrived.containsKey(id)) problems.add("lost: " + it);
        });
        Map<String, Integer> last = new HashMap<>();
        arrived.forEach((id, message) -> {
            if (!told.containsKey(id))
                problems.add("not committed: number " + number(message) + " of " + message.key());
            int before = last.getOrDefault(message.key(), 0);
            if (number(message) != before + 1)
                problems.add("number " + number(message) + " of " + message.key() + " came after " + before);
            last.put(String.valueOf(message.key()), number(message));
        });
        if (outbox.status().waiting() != 0) problems.add(outbox.status().waiting() + " still wait");
        if (outbox.status().deadLetters() != 0) problems.add(outbox.status().deadLetters() + " are dead letters still");
        return problems;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
