package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLWarning;
import org.jspecify.annotations.Nullable;

/** What a failed statement may have left behind, in the words of one database. Only what the server itself has said is certain. */
abstract class SqlFailures {

    abstract Applied applied(SQLException failure);

    /** Whether the server itself has said no to a statement, and so has undone all of it. */
    abstract boolean isRefusal(SQLException failure);

    /** Whether a statement without an error is not as durable as it should be. */
    boolean lacksDurability(@Nullable SQLWarning warning) {
        return false;
    }

    final StoreException ofRead(SQLException failure) {
        return StoreException.notApplied("The database did not answer: " + failure.getMessage(), failure);
    }

    final StoreException ofWrite(SQLException failure) {
        return switch (applied(failure)) {
            case NO -> StoreException.notApplied("The database refused: " + failure.getMessage(), failure);
            case UNKNOWN -> StoreException.unknown("The database's answer is lost: " + failure.getMessage(), failure);
        };
    }

    final boolean wasRefused(StoreException failure) {
        return failure.applied() == Applied.NO && failure.getCause() instanceof SQLException it && isRefusal(it);
    }

    /** Why there is no connection: what the driver met, where a pool only says that it has none to give. */
    static String ofConnecting(SQLException failure) {
        Throwable met = failure instanceof SQLTransientConnectionException ? failure.getCause() : null;
        return String.valueOf(met == null ? failure.getMessage() : met.getMessage());
    }
}
