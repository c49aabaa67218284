package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException.Applied;
import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** What a failed statement may have left behind, by PostgreSQL's words for it. */
final class PostgresFailures extends SqlFailures {
    static final PostgresFailures INSTANCE = new PostgresFailures();

    private PostgresFailures() {}

    /** A server that starts or stops. Anything else that it says of a connection will not pass by itself. */
    static boolean isBusy(PSQLException said) {
        String state = String.valueOf(said.getSQLState());
        return state.startsWith("08") || state.startsWith("57P");
    }

    @Override
    boolean isRefusal(SQLException failure) {
        return failure instanceof PSQLException it && it.getServerErrorMessage() != null;
    }

    /** A server that says ERROR has rolled the statement back. FATAL and PANIC may come after a commit. */
    @Override
    Applied applied(SQLException failure) {
        ServerErrorMessage said = failure instanceof PSQLException it ? it.getServerErrorMessage() : null;
        if (said == null || !"ERROR".equals(said.getSeverity())) return Applied.UNKNOWN;
        return ofState(said.getSQLState());
    }

    private static Applied ofState(@Nullable String state) {
        if (state == null || state.length() != 5) return Applied.UNKNOWN;
        return switch (state) {
            case "57014" -> Applied.NO; // the statement was cancelled
            case "40003" -> Applied.UNKNOWN; // "statement completion unknown"
            default ->
                switch (state.substring(0, 2)) {
                    case "0A" -> Applied.NO; // feature not supported
                    case "22" -> Applied.NO; // a value does not fit
                    case "23" -> Applied.NO; // a constraint does not hold
                    case "25" -> Applied.NO; // the transaction is read-only, as on a standby
                    case "28" -> Applied.NO; // not allowed in
                    case "40" -> Applied.NO; // rolled back for the sake of another transaction
                    case "42" -> Applied.NO; // no such table, no right to it
                    case "53" -> Applied.NO; // out of disk, memory or connections
                    case "54" -> Applied.NO; // a limit of the server
                    case "55" -> Applied.NO; // an object is in use or locked
                    case "08" -> Applied.UNKNOWN; // the connection broke
                    case "57" -> Applied.UNKNOWN; // shutdown or crash
                    case "58" -> Applied.UNKNOWN; // an input or output error of the server
                    default -> Applied.UNKNOWN;
                };
        };
    }

    /**
     * Whether the answer only means "committed here": the wait for a synchronous standby was cut short, which the server
     * reports as a mere warning. Told by the name of the server's routine, for its message is in the server's language.
     */
    @Override
    boolean lacksDurability(@Nullable SQLWarning warning) {
        for (SQLWarning it = warning; it != null; it = it.getNextWarning()) {
            if (it instanceof PSQLWarning said
                    && said.getServerErrorMessage() != null
                    && "SyncRepWaitForLSN".equals(said.getServerErrorMessage().getRoutine())) return true;
        }
        return false;
    }
}
