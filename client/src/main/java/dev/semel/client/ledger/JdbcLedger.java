package dev.semel.client.ledger;

import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in a table of the application's own PostgreSQL. Any number of processes may share it.
 *
 * <p>{@link #remember(Connection, Entry.Pending)} writes in a transaction of the caller's, so that an order and the call
 * that pays for it commit together, or not at all. Everything else takes a connection of the {@code DataSource} and is
 * committed when it returns. Closing the ledger leaves the {@code DataSource} open. Safe for use by any thread.
 */
public final class JdbcLedger implements Ledger {
    /** The table, for those who create tables themselves. To run it again changes nothing. */
    public static final String SCHEMA = """
        create table if not exists semel_client_call (
            intent text primary key,
            key text not null,
            digest bytea not null,
            method text not null,
            uri text not null,
            headers text,
            body bytea,
            remembered_at timestamptz not null,
            deadline timestamptz not null,
            attempts integer not null,
            first_sent_at timestamptz,
            settled_at timestamptz,
            response_status integer,
            response_headers text,
            response_body bytea,
            response_whole boolean
        );
        create index if not exists semel_client_call_pending
            on semel_client_call (remembered_at) where settled_at is null;
        create index if not exists semel_client_call_settled
            on semel_client_call (settled_at) where settled_at is not null;
        """;

    /** Any number; the same in every version, so that two processes never create the table at the same time. */
    private static final long CREATING = 0x5e3e_1c11_e471L;

    private static final String INSERT = """
        insert into semel_client_call
            (intent, key, digest, method, uri, headers, body, remembered_at, deadline, attempts, first_sent_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (intent) do nothing
        """;

    private static final String FIND = "select * from semel_client_call where intent = ?";

    private static final String ATTEMPT = """
        update semel_client_call
        set attempts = attempts + 1, first_sent_at = coalesce(first_sent_at, ?)
        where intent = ? and key = ? and settled_at is null
        returning *
        """;

    /** The first answer stays, and one that does not know of another try is not the last word. The request is no longer needed. */
    private static final String SETTLE = """
        update semel_client_call
        set settled_at = ?, response_status = ?, response_headers = ?, response_body = ?, response_whole = ?,
            headers = null, body = null
        where intent = ? and key = ? and settled_at is null and attempts = ?
        """;

    /** Only what was seen: a try that someone else began meanwhile is counted, and so keeps the entry. */
    private static final String REMOVE = """
        delete from semel_client_call
        where intent = ? and key = ? and (settled_at is null) = ? and (settled_at is not null or attempts = ?)
        """;

    private final DataSource dataSource;

    private JdbcLedger(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** On a database that has the table already. */
    public static JdbcLedger on(DataSource dataSource) {
        return new JdbcLedger(dataSource);
    }

    /** Creates the table if it is not there. */
    public static JdbcLedger open(DataSource dataSource) {
        JdbcLedger ledger = new JdbcLedger(dataSource);
        ledger.alone(connection -> {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("select pg_advisory_xact_lock(" + CREATING + ")");
                statement.execute(SCHEMA);
                connection.commit();
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            return true;
        });
        return ledger;
    }

    /**
     * Writes an entry in the caller's transaction. It is sent when the caller asks for it after the commit; after a
     * rollback there is nothing to send. The entry says that no try has begun, whatever it said before.
     *
     * @return whether it was written; false when the same request is remembered already
     * @throws IllegalStateException when the intent has an entry for another request, or the connection is in
     *     auto-commit mode. Nothing was written, and the transaction goes on
     */
    public boolean remember(Connection connection, Entry.Pending entry) throws SQLException {
        if (connection.getAutoCommit())
            throw new IllegalStateException("The connection is in auto-commit mode, so there is no transaction to"
                    + " join. Call setAutoCommit(false) first, or use SemelClient.send.");
        Entry.Pending unsent = new Entry.Pending(
                entry.intent(), entry.key(), entry.call(), entry.rememberedAt(), entry.deadline(), 0, null);
        Entry there = insert(connection, unsent);
        if (there == null) return true;
        if (there.isFor(entry.call())) return false;
        throw new IllegalStateException("The intent '" + entry.intent() + "' was used for another request. Nothing was"
                + " written. Name another intent for another operation.");
    }

    @Override
    public @Nullable Entry remember(Entry.Pending entry) {
        return alone(connection -> insert(connection, entry));
    }

    private static @Nullable Entry insert(Connection connection, Entry.Pending entry) throws SQLException {
        while (true) {
            try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
                insert.setString(1, entry.intent());
                insert.setString(2, entry.key());
                insert.setBytes(3, entry.digest());
                insert.setString(4, entry.call().method());
                insert.setString(5, entry.call().uri().toString());
                insert.setString(6, HeaderText.format(entry.call().headers()));
                insert.setBytes(7, entry.call().body());
                setInstant(insert, 8, entry.rememberedAt());
                setInstant(insert, 9, entry.deadline());
                insert.setInt(10, entry.attempts());
                setInstant(insert, 11, entry.firstSentAt());
                if (insert.executeUpdate() == 1) return null;
            }
            Entry there = select(connection, entry.intent());
            if (there != null) return there; // else it was removed in between: once more
        }
    }

    @Override
    public @Nullable Entry find(String intent) {
        return alone(connection -> select(connection, intent));
    }

    private static @Nullable Entry select(Connection connection, String intent) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(FIND)) {
            select.setString(1, intent);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? entry(row) : null;
            }
        }
    }

    @Override
    public Entry.@Nullable Pending attempt(Entry.Pending entry, Instant now) {
        return alone(connection -> {
            try (PreparedStatement update = connection.prepareStatement(ATTEMPT)) {
                setInstant(update, 1, now);
                update.setString(2, entry.intent());
                update.setString(3, entry.key());
                try (ResultSet row = update.executeQuery()) {
                    return row.next() && entry(row) instanceof Entry.Pending it ? it : null;
                }
            }
        });
    }

    @Override
    public boolean settle(Entry.Pending entry, Response response, Instant now) {
        Response kept = response.withoutSecrets();
        Integer settled = alone(connection -> {
            try (PreparedStatement update = connection.prepareStatement(SETTLE)) {
                setInstant(update, 1, now);
                update.setInt(2, kept.status());
                update.setString(3, HeaderText.format(kept.headers()));
                update.setBytes(4, kept.body());
                update.setBoolean(5, kept.whole());
                update.setString(6, entry.intent());
                update.setString(7, entry.key());
                update.setInt(8, entry.attempts());
                return update.executeUpdate();
            }
        });
        return settled != null && settled == 1;
    }

    @Override
    public boolean remove(Entry seen) {
        Integer removed = alone(connection -> {
            try (PreparedStatement delete = connection.prepareStatement(REMOVE)) {
                delete.setString(1, seen.intent());
                delete.setString(2, seen.key());
                delete.setBoolean(3, seen instanceof Entry.Pending);
                delete.setInt(4, seen instanceof Entry.Pending it ? it.attempts() : 0);
                return delete.executeUpdate();
            }
        });
        return removed != null && removed == 1;
    }

    @Override
    public List<String> pending() {
        List<String> intents = new ArrayList<>();
        alone(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select intent from semel_client_call where settled_at is"
                            + " null order by remembered_at, intent")) {
                while (rows.next()) intents.add(rows.getString(1));
            }
            return null;
        });
        return intents;
    }

    @Override
    public void forgetSettledBefore(Instant then) {
        alone(connection -> {
            try (PreparedStatement delete =
                    connection.prepareStatement("delete from semel_client_call where settled_at < ?")) {
                setInstant(delete, 1, then);
                return delete.executeUpdate();
            }
        });
    }

    private static Entry entry(ResultSet row) throws SQLException {
        Instant settledAt = instant(row, "settled_at");
        if (settledAt != null)
            return new Entry.Settled(
                    row.getString("intent"),
                    row.getString("key"),
                    row.getBytes("digest"),
                    settledAt,
                    new Response(
                            row.getInt("response_status"),
                            HeaderText.parse(row.getString("response_headers")),
                            row.getBytes("response_body"),
                            row.getBoolean("response_whole")));
        return new Entry.Pending(
                row.getString("intent"),
                row.getString("key"),
                new Call(
                        row.getString("method"),
                        URI.create(row.getString("uri")),
                        HeaderText.parse(row.getString("headers")),
                        row.getBytes("body")),
                certain(instant(row, "remembered_at")),
                certain(instant(row, "deadline")),
                row.getInt("attempts"),
                instant(row, "first_sent_at"));
    }

    private static void setInstant(PreparedStatement statement, int index, @Nullable Instant instant)
            throws SQLException {
        if (instant == null) statement.setNull(index, Types.TIMESTAMP_WITH_TIMEZONE);
        else statement.setObject(index, instant.atOffset(ZoneOffset.UTC));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static Instant certain(@Nullable Instant instant) throws SQLException {
        if (instant == null) throw new SQLException("A time is missing in semel_client_call.");
        return instant;
    }

    private interface Work<T> {
        @Nullable
        T on(Connection connection) throws SQLException;
    }

    /** In a transaction of its own, which is one statement. */
    private <T> @Nullable T alone(Work<T> work) {
        try (Connection connection = dataSource.getConnection()) {
            if (!connection.getAutoCommit()) connection.setAutoCommit(true);
            return work.on(connection);
        } catch (SQLException e) {
            throw new LedgerException("The ledger's database did not answer: " + e.getMessage(), e);
        }
    }

    /** Leaves the {@code DataSource} to its owner. */
    @Override
    public void close() {}
}
