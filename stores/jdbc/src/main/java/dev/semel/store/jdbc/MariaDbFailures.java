package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.sql.SQLException;

/** What a failed statement may have left behind, by MariaDB's and MySQL's words for it. */
final class MariaDbFailures extends SqlFailures {
    static final MariaDbFailures INSTANCE = new MariaDbFailures();

    private static final int DEADLOCK = 1213;
    private static final int LOCK_WAIT_OVER = 1205;

    private MariaDbFailures() {}

    /** Too many connections, or a server that stops. Anything else that it says of a connection will not pass by itself. */
    static boolean isBusy(SQLException said) {
        return said.getErrorCode() == 1040 || said.getErrorCode() == 1053;
    }

    /** Ended for the sake of another transaction, and rolled back: worth another try. */
    static boolean isDeadlock(StoreException failure) {
        return failure.getCause() instanceof SQLException it && it.getErrorCode() == DEADLOCK;
    }

    /** Another transaction has had the row locked for too long. */
    static boolean isLockedOut(StoreException failure) {
        return failure.getCause() instanceof SQLException it && it.getErrorCode() == LOCK_WAIT_OVER;
    }

    @Override
    boolean isRefusal(SQLException failure) {
        return failure.getErrorCode() > 0
                && !String.valueOf(failure.getSQLState()).startsWith("08");
    }

    /** A server that names one of these has rolled the statement back, and the transaction that it was sent in is. */
    @Override
    Applied applied(SQLException failure) {
        if (!isRefusal(failure)) return Applied.UNKNOWN;
        return switch (failure.getErrorCode()) {
            case LOCK_WAIT_OVER, DEADLOCK -> Applied.NO; // waited too long for a lock, or in a circle
            case 1114 -> Applied.NO; // the table is full
            case 1290, 1792, 1836 -> Applied.NO; // read-only
            case 1969, 3024 -> Applied.NO; // the statement took too long
            case 1153 -> Applied.NO; // larger than max_allowed_packet
            case 1040, 1203, 1226 -> Applied.NO; // too many connections, or other limits
            case 1053, 1180 -> Applied.UNKNOWN; // shutdown; an error during the commit
            default ->
                switch (String.valueOf(failure.getSQLState())) {
                    case "HY000", "70100" -> Applied.UNKNOWN; // anything, such as a full disk; interrupted
                    default ->
                        switch (failure.getSQLState().substring(0, 2)) {
                            case "22", "23", "28", "40", "42" -> Applied.NO; // values, constraints, rights, syntax
                            default -> Applied.UNKNOWN;
                        };
                };
        };
    }
}
