package dev.semel.client.ledger;

import static dev.semel.client.ledger.LedgerContract.pending;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.client.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** On a real PostgreSQL. */
@Timeout(60)
class JdbcLedgerTest implements LedgerContract {
    private static TestDatabase server;
    private static PGSimpleDataSource database;

    private JdbcLedger ledger;

    @BeforeAll
    static void start() {
        server = TestDatabase.start();
        database = server.dataSource();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() throws SQLException {
        sql("drop table if exists semel_client_call");
        ledger = JdbcLedger.open(database);
    }

    @Override
    public Ledger ledger() {
        return ledger;
    }

    @Override
    public Ledger reopened() {
        return JdbcLedger.on(database);
    }

    private static void sql(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement it = connection.createStatement()) {
            it.execute(statement);
        }
    }

    private static Connection transaction() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    @Test
    void an_entry_commits_with_the_caller_and_says_that_nothing_was_sent() throws SQLException {
        try (Connection connection = transaction()) {
            assertTrue(ledger.remember(connection, pending("i", "k")));
            assertNull(ledger.find("i"), "not before the commit");
            connection.commit();
        }
        Entry.Pending entry = (Entry.Pending) ledger.find("i");
        assertEquals(0, entry.attempts());
        assertNull(entry.firstSentAt());
        assertEquals(List.of("i"), ledger.pending());
    }

    @Test
    void after_a_rollback_there_is_nothing() throws SQLException {
        try (Connection connection = transaction()) {
            ledger.remember(connection, pending("i", "k"));
            connection.rollback();
        }
        assertNull(ledger.find("i"));
        assertEquals(List.of(), ledger.pending());
    }

    @Test
    void without_a_transaction_it_is_refused() throws SQLException {
        try (Connection connection = database.getConnection()) {
            assertThrows(IllegalStateException.class, () -> ledger.remember(connection, pending("i", "k")));
        }
        assertNull(ledger.find("i"));
    }

    @Test
    void the_same_request_again_changes_nothing_and_another_is_refused_without_ending_the_transaction()
            throws SQLException {
        ledger.remember(pending("i", "k-1"));
        try (Connection connection = transaction()) {
            assertFalse(ledger.remember(connection, pending("i", "k-2")));
            Entry.Pending other =
                    new Entry.Pending("i", "k-3", LedgerContract.call("other"), NOW, NOW.plusSeconds(1), 0, null);
            assertThrows(IllegalStateException.class, () -> ledger.remember(connection, other));
            assertTrue(ledger.remember(connection, pending("next", "k-4")));
            connection.commit();
        }
        assertEquals("k-1", ledger.find("i").key());
        assertEquals("k-4", ledger.find("next").key());
    }

    @Test
    void the_table_may_be_created_by_many_at_once_and_again() throws Exception {
        sql("drop table semel_client_call");
        List<Future<JdbcLedger>> opened = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) opened.add(threads.submit(() -> JdbcLedger.open(database)));
        }
        for (Future<JdbcLedger> each : opened) assertNull(each.get().find("i"));
    }

    /** A look that shares no code with the ledger. */
    @Test
    void what_was_sent_is_not_kept_any_longer_than_needed() throws SQLException {
        ledger.remember(pending("i", "k"));
        ledger.settle(pending("i", "k"), LedgerContract.response("done"), NOW);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select * from semel_client_call")) {
            assertTrue(row.next());
            assertNull(row.getBytes("body"));
            assertNull(row.getString("headers"));
            assertEquals(201, row.getInt("response_status"));
            assertEquals("Location: /c/1\n", row.getString("response_headers"));
            assertFalse(row.next());
        }
    }

    @Test
    void a_database_that_does_not_answer_is_an_exception() {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl("jdbc:postgresql://127.0.0.1:1/none?connectTimeout=2");
        assertThrows(LedgerException.class, () -> JdbcLedger.on(nobody).find("i"));
    }
}
