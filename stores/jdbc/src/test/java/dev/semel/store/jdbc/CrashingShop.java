package dev.semel.store.jdbc;

import dev.semel.core.Attempt;
import dev.semel.core.Codec;
import dev.semel.core.FailurePolicy;
import dev.semel.core.Once;
import dev.semel.core.Operation;
import dev.semel.core.Semel;
import dev.semel.core.Step;
import dev.semel.core.key.Guarantee;
import dev.semel.core.store.KeyStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A program that uses the library. It sells once per key: in one transaction with its key, or with a lease. Every sale is
 * a row of the table {@code sale} with a receipt of its own. Or it delivers, in three steps, each a row of {@code did} when it
 * has run, and another when it was undone.
 */
final class CrashingShop implements AutoCloseable {
    /** Longer than a test takes: a lease of a process that lives never runs out. */
    private static final Duration LEASE = Duration.ofMinutes(10);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Sql sql;
    private final Semel semel;
    private final Operation<String> joined;
    private final Operation<String> leased;
    private final Operation<String> stepped;

    /** Why a delivery is taken back. */
    static final class Returned extends RuntimeException {
        Returned(String message) {
            super(message);
        }
    }

    private CrashingShop(String url, KeyStore store) {
        this.sql = Sql.on(url);
        this.semel = Semel.on(store).sweepEvery(Duration.ZERO).start();
        this.joined = semel.operation("joined", Codec.text()).withWaitFor(PATIENCE);
        this.leased = semel.operation("leased", Codec.text())
                .withWaitFor(Duration.ZERO)
                .withLease(LEASE);
        this.stepped = semel.operation("stepped", Codec.text())
                .withGuarantee(Guarantee.AT_LEAST_ONCE)
                .withFailures(FailurePolicy.ALL_IN_DOUBT.permanent(Returned.class))
                .withWaitFor(Duration.ZERO)
                .withLease(LEASE);
    }

    static CrashingShop open(String url, JoiningBug bug) {
        JdbcOptions options = ContractDatabase.LONG_TIMEOUTS.withPoolSize(4);
        KeyStore store = switch (Database.of(url)) {
            case POSTGRESQL -> PostgresKeyStore.open(url, options);
            case MARIADB -> MariaDbKeyStore.open(url, options);
            case H2 -> throw new IllegalArgumentException("H2 joins no transaction.");
        };
        return new CrashingShop(url, bug.in(store, url));
    }

    static void makeTable(Sql sql) throws SQLException {
        sql.execute(
                "create table sale (name varchar(200) not null, receipt varchar(200) not null)",
                "create table did (number serial, name varchar(200) not null, what varchar(200) not null, downstream"
                        + " varchar(200) not null, token bigint not null)");
    }

    /** @param watch is told each point before it is passed */
    Once<String> joined(String key, Consumer<CrashPoint> watch) throws SQLException {
        try (Connection connection = sql.connect()) {
            connection.setAutoCommit(false);
            watch.accept(CrashPoint.BEFORE_CLAIM);
            watch.accept(CrashPoint.CLAIMING);
            Once<String> answer =
                    joined.joining(connection).attempt(key, "10 EUR", attempt -> sell(connection, attempt, watch));
            watch.accept(CrashPoint.RECORDED);
            watch.accept(CrashPoint.COMMITTING);
            connection.commit();
            watch.accept(CrashPoint.ANSWERING);
            return answer;
        }
    }

    /** The same, committed by the library. */
    Once<String> transacted(String key, Consumer<CrashPoint> watch) throws SQLException {
        watch.accept(CrashPoint.BEFORE_CLAIM);
        try (Connection connection = sql.connect()) {
            watch.accept(CrashPoint.CLAIMING);
            Once<String> answer = joined.transacting(Sql.only(connection))
                    .attempt(key, "10 EUR", (attempt, transaction) -> sell(transaction, attempt, watch));
            watch.accept(CrashPoint.ANSWERING);
            return answer;
        }
    }

    Once<String> leased(String key, Consumer<CrashPoint> watch) throws SQLException {
        watch.accept(CrashPoint.BEFORE_CLAIM);
        try (Connection connection = sql.connect()) {
            watch.accept(CrashPoint.CLAIMING);
            Once<String> answer = leased.attempt(key, "10 EUR", attempt -> sell(connection, attempt, watch));
            watch.accept(CrashPoint.ANSWERING);
            return answer;
        }
    }

    private static String sell(Connection connection, Attempt attempt, Consumer<CrashPoint> watch) throws SQLException {
        watch.accept(CrashPoint.CLAIMED);
        String receipt = UUID.randomUUID().toString();
        try (PreparedStatement insert = connection.prepareStatement("insert into sale values (?, ?)")) {
            insert.setString(1, attempt.key());
            insert.setString(2, receipt);
            insert.executeUpdate();
        }
        watch.accept(CrashPoint.EFFECT_DONE);
        watch.accept(CrashPoint.RECORDING);
        return receipt;
    }

    /** Three steps. What is watched is the second one. */
    Once<String> stepped(String key, boolean returned, Consumer<CrashPoint> watch) throws SQLException {
        try (Connection connection = sql.connect()) {
            return stepped.attempt(key, "a book", attempt -> {
                String parcel = step(connection, attempt, "pack", point -> {});
                String sent = step(connection, attempt, "send", watch);
                watch.accept(CrashPoint.STEP_NOTED);
                String signed = step(connection, attempt, "hand over", point -> {});
                if (returned) throw new Returned(parcel + " " + sent + " " + signed);
                return parcel + " " + sent + " " + signed;
            });
        }
    }

    private static String step(Connection connection, Attempt attempt, String name, Consumer<CrashPoint> watch)
            throws SQLException {
        return attempt.step(
                name,
                String.class,
                step -> {
                    watch.accept(CrashPoint.STEP_RUNNING);
                    insert(connection, attempt.key(), name, step);
                    watch.accept(CrashPoint.STEP_DONE);
                    watch.accept(CrashPoint.STEP_NOTING);
                    return UUID.randomUUID().toString();
                },
                (given, step) -> {
                    watch.accept(CrashPoint.UNDOING);
                    insert(connection, attempt.key(), "undo " + name, step);
                    watch.accept(CrashPoint.UNDONE);
                    watch.accept(CrashPoint.UNDO_NOTING);
                });
    }

    private static void insert(Connection connection, String key, String what, Step step) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("insert into did (name, what, downstream, token) values (?, ?, ?, ?)")) {
            insert.setString(1, key);
            insert.setString(2, what);
            insert.setString(3, step.downstreamKey());
            insert.setLong(4, step.token());
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        semel.close();
    }
}
