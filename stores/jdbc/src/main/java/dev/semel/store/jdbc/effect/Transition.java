package dev.semel.store.jdbc.effect;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A change of state that is made once, however often it is asked for: the row itself tells a repetition from a change.
 *
 * <pre>{@code
 * private static final Transition CAPTURE = Transition.of("orders", "id", "state").from("authorized").to("captured");
 *
 * switch (CAPTURE.apply(connection, orderId)) {
 *     case Transition.Changed it -> ledger.insert(connection, orderId);   // this once
 *     case Transition.AlreadyThere it -> {}                               // a repetition
 *     case Transition.Refused it -> throw new NotCapturable(orderId, it.actualState());
 *     case Transition.Absent it -> throw new NoSuchOrder(orderId);
 * }
 * connection.commit();
 * }</pre>
 *
 * <p>Takes one statement. It locks the row until the transaction ends, so every answer stays true until then: of any number
 * of callers at once, one is told {@code Changed} and the others, after its commit, {@code AlreadyThere}. No answer aborts the
 * transaction. Other columns can be written next, in the same transaction. Under {@code REPEATABLE READ} and above, a row that was
 * changed since the transaction began fails with SQL state 40001, like every write there: repeat the transaction.
 *
 * <p>Immutable and safe for use by any thread. For PostgreSQL.
 */
public final class Transition {
    /** What {@link #apply} answers. */
    public sealed interface Result {}

    /**
     * The row was in one of the states to start from, and is in the new one now.
     *
     * @param from the state before
     */
    public record Changed(String from) implements Result {}

    /** The row is in the new state already, and nothing was written: a repetition. */
    public record AlreadyThere() implements Result {}

    /**
     * The row is in neither, and nothing was written.
     *
     * @param actualState the state that it is in; null when it has none
     */
    public record Refused(@Nullable String actualState) implements Result {}

    /** There is no such row. */
    public record Absent() implements Result {}

    /** A column with states, of which transitions are made. */
    public static final class Column {
        private final String table;
        private final String id;
        private final String state;

        private Column(String table, String id, String state) {
            this.table = table;
            this.id = id;
            this.state = state;
        }

        /** The states that may be left; more than one where it does not matter which, as for a refund after capture or settlement. */
        public Start from(String state, String... more) {
            Set<String> from = new LinkedHashSet<>(List.of(state));
            from.addAll(Arrays.asList(more));
            return new Start(this, from);
        }
    }

    /** A transition that lacks its end. */
    public static final class Start {
        private final Column column;
        private final Set<String> from;

        private Start(Column column, Set<String> from) {
            this.column = column;
            this.from = from;
        }

        /**
         * The state to enter.
         *
         * @throws IllegalArgumentException when it is one of those to leave: a repetition would look like a change
         */
        public Transition to(String state) {
            if (from.contains(state))
                throw new IllegalArgumentException("A transition from '" + state + "' to itself is none.");
            return new Transition(column, from, state);
        }
    }

    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");
    private static final int LONGEST_NAME = 63;

    /** What stands first locks the row as it is by now, also where another transaction has just changed it. */
    private static final String SQL = """
        with seen as (
            select {id} as id, {state}::text as state, {state} = ? as there, {state} in ({from}) as allowed
            from {table} where {id} = ? for update
        ), changed as (
            update {table} as kept set {state} = ? from seen where kept.{id} = seen.id and seen.allowed returning 1
        )
        select state, there, (select count(*) from changed) from seen
        """;

    private final String sql;
    private final Set<String> from;
    private final String to;

    private Transition(Column column, Set<String> from, String to) {
        this.from = from;
        this.to = to;
        this.sql = SQL.replace("{table}", column.table)
                .replace("{id}", column.id)
                .replace("{state}", column.state)
                .replace("{from}", String.join(", ", Collections.nCopies(from.size(), "?")));
    }

    /**
     * States in a table of yours. Names are written as the database has them, in lower case unless they were made in quotes.
     *
     * @param table its name, with its schema before a dot if need be
     * @param idColumn a column that tells rows apart; of any type whose text form is the {@code toString} of the ids given to {@link
     *     #apply}, such as a UUID, a number or text
     * @param stateColumn text, a number, or an enum of the database's
     * @throws IllegalArgumentException when a name has anything but letters, digits, {@code _} and {@code $}
     */
    public static Column of(String table, String idColumn, String stateColumn) {
        String quotedTable =
                Arrays.stream(table.split("\\.", 3)).map(Transition::quoted).collect(Collectors.joining("."));
        return new Column(quotedTable, quoted(idColumn), quoted(stateColumn));
    }

    private static String quoted(String name) {
        if (!NAME.matcher(name).matches() || name.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME)
            throw new IllegalArgumentException("Not the name of a table or column: '" + name + "'");
        return '"' + name + '"';
    }

    /**
     * Makes the change in this transaction, if the row is where it may be made.
     *
     * @throws SQLException when the database fails, for which the transaction must be rolled back
     * @throws IllegalStateException when several rows have this id, for which it must be too
     */
    public Result apply(Connection transaction, Object id) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(sql)) {
            int parameter = 1;
            bind(statement, parameter++, to);
            for (String each : from) bind(statement, parameter++, each);
            bind(statement, parameter++, id);
            bind(statement, parameter, to);
            try (ResultSet row = statement.executeQuery()) {
                if (!row.next()) return new Absent();
                Result result = read(row);
                if (row.next())
                    throw new IllegalStateException("Several rows have the id '" + id
                            + "', and all of them may have been changed; roll the transaction back.");
                return result;
            }
        }
    }

    /** As a literal would be: the database gives it the type of the column. */
    private static void bind(PreparedStatement statement, int parameter, Object value) throws SQLException {
        statement.setObject(parameter, value.toString(), Types.OTHER);
    }

    private static Result read(ResultSet row) throws SQLException {
        String state = row.getString(1);
        if (state != null && row.getLong(3) > 0) return new Changed(state);
        return row.getBoolean(2) ? new AlreadyThere() : new Refused(state);
    }

    @Override
    public String toString() {
        return String.join("|", from) + " → " + to;
    }
}
