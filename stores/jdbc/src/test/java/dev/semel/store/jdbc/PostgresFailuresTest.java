package dev.semel.store.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.core.store.StoreException.Applied;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

class PostgresFailuresTest {

    @ParameterizedTest
    @CsvSource({
        "ERROR, 22001, NO, value too long",
        "ERROR, 22021, NO, invalid byte sequence",
        "ERROR, 23505, NO, unique violation",
        "ERROR, 23514, NO, check violation",
        "ERROR, 25006, NO, read-only transaction",
        "ERROR, 40001, NO, serialization failure",
        "ERROR, 40P01, NO, deadlock",
        "ERROR, 42501, NO, permission denied",
        "ERROR, 42P01, NO, undefined table",
        "ERROR, 53100, NO, disk full",
        "ERROR, 53200, NO, out of memory",
        "ERROR, 55P03, NO, lock not available",
        "ERROR, 57014, NO, cancelled",
        "ERROR, 40003, UNKNOWN, statement completion unknown",
        "ERROR, 58030, UNKNOWN, input or output error",
        "ERROR, XX000, UNKNOWN, internal error",
        "ERROR, 99999, UNKNOWN, nobody knows this one",
        "FATAL, 57P01, UNKNOWN, administrator's shutdown",
        "FATAL, 57P02, UNKNOWN, crash of another backend",
        "FATAL, 57P03, UNKNOWN, cannot connect now",
        "FATAL, 57P05, UNKNOWN, idle session timeout",
        "FATAL, 08P01, UNKNOWN, a pooler lost its server",
        "PANIC, 53100, UNKNOWN, disk full while writing the log",
        "PANIC, 58030, UNKNOWN, the log could not be flushed",
        "FEHLER, 57014, UNKNOWN, an error in a language that is not known here",
    })
    void what_the_server_said_decides(String severity, String state, Applied applied, String message) {
        assertEquals(applied, PostgresFailures.INSTANCE.applied(said(severity, state, message)), message);
    }

    private static PSQLException said(String severity, String state, String message) {
        return new PSQLException(new ServerErrorMessage("S" + severity + "\0C" + state + "\0M" + message + "\0"));
    }

    @Test
    void what_the_driver_says_by_itself_is_unknown() {
        IOException reset = new IOException("Connection reset");
        SQLException[] broken = {
            new PSQLException("An I/O error occurred", PSQLState.CONNECTION_FAILURE, reset),
            new PSQLException("Read timed out", PSQLState.CONNECTION_FAILURE, new SocketTimeoutException()),
            new PSQLException("This connection has been closed", PSQLState.CONNECTION_DOES_NOT_EXIST),
            new PSQLException("The answer makes no sense", PSQLState.DATA_ERROR),
            new SQLException("from a pool", "22000"),
            new SQLException("without a state"),
        };
        for (SQLException each : broken)
            assertEquals(Applied.UNKNOWN, PostgresFailures.INSTANCE.applied(each), each.toString());
    }

    @Test
    void a_failed_read_has_written_nothing() {
        assertEquals(
                Applied.NO,
                PostgresFailures.INSTANCE
                        .ofRead(said("FATAL", "57P01", "shutdown"))
                        .applied());
        assertEquals(
                Applied.UNKNOWN,
                PostgresFailures.INSTANCE
                        .ofWrite(said("FATAL", "57P01", "shutdown"))
                        .applied());
        assertEquals(
                Applied.NO,
                PostgresFailures.INSTANCE
                        .ofWrite(said("ERROR", "57014", "cancelled"))
                        .applied());
    }
}
