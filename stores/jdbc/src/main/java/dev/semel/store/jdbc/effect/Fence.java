package dev.semel.store.jdbc.effect;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Lets only growing tokens pass, for each resource: so a run that was overtaken, and a retry that comes late, change nothing any
 * more. Enter it in the transaction that changes the resource, before the change:
 *
 * <pre>{@code
 * private static final Fence ACCOUNTS = Fence.named("accounts");
 *
 * switch (ACCOUNTS.enter(connection, accountId, attempt.token())) {
 *     case Fence.Passed it -> write(connection, accountId, balance);
 *     case Fence.Stale it -> log.info("token {} has passed already", it.lastToken());
 * }
 * connection.commit();
 * }</pre>
 *
 * <p>A token is any number that grows with time for a resource, and that its holder did not choose: the {@code token()} of an
 * attempt, the version of a row. The same token passes again, for it is the same holder.
 *
 * <p>An entry takes one statement, and counts when the transaction commits. Until then it holds the lock of one row: whoever
 * enters for the same resource waits for the transaction to end, as for any row, and for as long as {@code lock_timeout} says. No
 * answer aborts the transaction. Two transactions that each enter for several resources must do so in the same order, such as
 * sorted, or they wait for each other until the database ends one of them. Under {@code REPEATABLE READ} and above, an entry that
 * meets a newer one fails with SQL state 40001, like every write there: repeat the transaction.
 *
 * <p>Immutable and safe for use by any thread. The table is one of the key store's: {@code PostgresKeyStore.open} makes it. It is
 * looked for along the {@code search_path} of the connection.
 */
public final class Fence {
    /** What {@link #enter} answers. */
    public sealed interface Entry {}

    /** No higher token has passed; until the end of the transaction none can. */
    public record Passed() implements Entry {}

    /**
     * A higher token has passed: whoever has this one is late, and must change nothing.
     *
     * @param lastToken the highest token that has passed
     */
    public record Stale(long lastToken) implements Entry {}

    private static final int MOST_BYTES = 1024;

    /**
     * The row always ends up with the higher of both tokens, and gives it back: one statement tells all, also when the row was
     * written by a transaction that ended only while this one waited for it.
     */
    private static final String ENTER = """
        insert into semel_fence as kept (fence, resource, token, entered_at) values (?, ?, ?, statement_timestamp())
        on conflict (fence, resource) do update set
            token = greatest(kept.token, excluded.token),
            entered_at = case when excluded.token >= kept.token then excluded.entered_at else kept.entered_at end
        returning token
        """;

    /** A row that someone enters just now is left out, and not waited for. */
    private static final String FORGET = """
        delete from semel_fence where ctid = any (array(
            select ctid from semel_fence
            where fence = ? and entered_at < statement_timestamp() - ? * interval '1 millisecond'
            limit ? for update skip locked))
        """;

    private final String name;

    private Fence(String name) {
        this.name = name;
    }

    /**
     * A fence of this name; the same in every program that uses the database.
     *
     * @throws IllegalArgumentException when the name is empty, over 1,024 bytes of UTF-8, holds a NUL, or is not
     *     well-formed Unicode
     */
    public static Fence named(String name) {
        return new Fence(requireStorable("name of a fence", name));
    }

    /**
     * Whether this token may still change the resource, in this transaction.
     *
     * @param resource what is changed, such as the id of an account
     * @throws SQLException when the database fails, for which the transaction must be rolled back
     * @throws IllegalArgumentException when the resource is empty, too long, or no storable text; nothing was said to the
     *     database then
     * @throws IllegalStateException when the connection is in auto-commit mode: the fence would be open again before the change
     */
    public Entry enter(Connection transaction, String resource, long token) throws SQLException {
        requireStorable("resource", resource);
        if (transaction.getAutoCommit())
            throw new IllegalStateException(
                    "There is no transaction to enter a fence in: the connection is in auto-commit"
                            + " mode, so the fence would not hold until the change. Begin a transaction first.");
        try (PreparedStatement statement = transaction.prepareStatement(ENTER)) {
            statement.setString(1, name);
            statement.setString(2, resource);
            statement.setLong(3, token);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                long last = row.getLong(1);
                return last == token ? new Passed() : new Stale(last);
            }
        }
    }

    /**
     * The same, for whoever has nothing to do when it is late.
     *
     * @throws StaleTokenException when a higher token has passed
     */
    public void require(Connection transaction, String resource, long token) throws SQLException {
        if (enter(transaction, resource, token) instanceof Stale(long last))
            throw new StaleTokenException(name, resource, token, last);
    }

    /**
     * Forgets resources for which no token has passed for so long, by the clock of the database. To a resource that is forgotten
     * any token is the first: forget only what is older than the longest delay of a retry, and than any run that may still be
     * alive. Reads the rows of this fence; to be called now and then, until it returns less than was allowed.
     *
     * @param connection in a transaction, or not
     * @param atMost how many at most, so that it takes a bounded time
     * @return how many were forgotten
     */
    public int forget(Connection connection, Duration unusedFor, int atMost) throws SQLException {
        if (unusedFor.isNegative() || unusedFor.isZero())
            throw new IllegalArgumentException("What is in use must not be forgotten; say for how long it was not.");
        if (atMost < 1) throw new IllegalArgumentException("At least one row may be forgotten, not " + atMost);
        try (PreparedStatement statement = connection.prepareStatement(FORGET)) {
            statement.setString(1, name);
            // The database can subtract no more than so much from its clock.
            statement.setLong(2, Math.min(unusedFor.toMillis(), TimeUnit.DAYS.toMillis(365_000)));
            statement.setInt(3, atMost);
            return statement.executeUpdate();
        }
    }

    /** What the database would refuse is refused before: its refusal aborts the transaction. */
    private static String requireStorable(String what, String text) {
        if (text.isEmpty()) throw new IllegalArgumentException("The " + what + " must not be empty.");
        if (text.indexOf('\0') >= 0)
            throw new IllegalArgumentException("The " + what + " must not hold a NUL character.");
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text))
            throw new IllegalArgumentException("The " + what + " is not well-formed Unicode.");
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES)
            throw new IllegalArgumentException(
                    "The " + what + " has " + bytes + " bytes; at most " + MOST_BYTES + " are taken.");
        return text;
    }

    @Override
    public String toString() {
        return "fence " + name;
    }
}
