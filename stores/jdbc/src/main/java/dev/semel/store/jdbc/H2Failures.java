package dev.semel.store.jdbc;

import dev.semel.core.store.StoreException.Applied;
import java.sql.SQLException;

/** What a failed statement may have left behind in H2, whose transactions are rolled back here. */
final class H2Failures extends SqlFailures {
    static final H2Failures INSTANCE = new H2Failures();

    private H2Failures() {}

    @Override
    boolean isRefusal(SQLException failure) {
        return failure.getErrorCode() > 0 && failure.getErrorCode() < 90_000;
    }

    @Override
    Applied applied(SQLException failure) {
        return isRefusal(failure) ? Applied.NO : Applied.UNKNOWN;
    }
}
