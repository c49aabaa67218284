package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.Holds;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.OutboxTables.ParkedRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An operator does something about a dead letter while a relay is just parking another message behind it. */
@ExtendWith(SharedPostgres.class)
@Timeout(60)
class ParkedMeanwhileTest {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private HikariDataSource database;
    private Outbox outbox;
    private OutboxTables tables;
    private List<ShardLease> leases;
    private UUID head;

    @BeforeEach
    void parkTheHead() throws SQLException {
        database = SharedPostgres.pool(SharedPostgres.freshUrl());
        outbox = Outbox.open(database);
        tables = outbox.tables();
        try (Connection relay = database.getConnection()) {
            leases = tables.renew(relay, "relay", List.of(), List.of(), Duration.ofMinutes(1))
                    .held();
            head = append("head");
            park(relay, "too-large");
        }
    }

    @AfterEach
    void close() {
        threads.close();
        database.close();
    }

    @Test
    void a_key_stays_parked_when_its_first_letter_is_dropped_and_another_comes() throws Exception {
        assertEquals(true, whileTheTailIsParked(() -> DeadLetters.of(outbox).drop(head, "ada", "a test")));
        assertEquals("1", one("select count(*) from semel.dead_letter"));
        assertEquals("1", one("select count(*) from semel.parked_key"), "or the next message overtakes the letter");
    }

    @Test
    void a_letter_that_comes_while_its_key_is_redriven_goes_too() throws Exception {
        DeadLetters.of(outbox)
                .redrive(LetterFilter.ALL.withKind("too-large"), new Redrive.Pace(1000, 0), "ada", "a test");
        one("update semel.redrive set advanced_at = '-infinity' returning 1");
        whileTheTailIsParked(() -> {
            try (Connection another = database.getConnection()) {
                return tables.letters().advance(another);
            }
        });
        assertEquals("2", one("select count(*) from semel.dead_letter where due"));
    }

    private <T> T whileTheTailIsParked(Callable<T> work) throws Exception {
        append("tail");
        try (Connection relay = database.getConnection()) {
            relay.setAutoCommit(false);
            park(relay, ParkedRow.TAIL);
            Future<T> done = threads.submit(work);
            while (!done.isDone()
                    && one("select count(*) from pg_stat_activity where datname = current_database()"
                                    + " and wait_event_type = 'Lock'")
                            .equals("0")) LockSupport.parkNanos(1_000_000);
            relay.commit();
            return done.get();
        }
    }

    private void park(Connection relay, String kind) throws SQLException {
        List<ParkedRow> rows = tables.reader().read(relay, leases, Holds.NONE, 10).values().stream()
                .flatMap(List<OutboxRow>::stream)
                .map(row -> new ParkedRow(row, kind, "not taken", 1))
                .toList();
        assertEquals(1, rows.size());
        tables.park(relay, leases, rows);
    }

    private UUID append(String body) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            UUID id = outbox.append(
                    connection,
                    Message.of("orders", "order.paid", body.getBytes(UTF_8)).withKey("a"));
            connection.commit();
            return id;
        }
    }

    private String one(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
