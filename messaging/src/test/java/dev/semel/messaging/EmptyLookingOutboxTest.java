package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.Holds;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.OutboxTables.ParkedRow;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A vacuum that finds the outbox empty tells the planner so, and the planner believes it while thousands of messages wait. Whatever it
 * believes, a message costs a look into the index, and not one at every other message: that took minutes, and held the leases up.
 */
@ExtendWith(SharedPostgres.class)
@Timeout(60)
class EmptyLookingOutboxTest {
    private static final int MESSAGES = 1_600;

    /** Each is looked up, and seen once more where it is deleted; a few are looked at for nothing. */
    private static final int MOST_READS = 5 * MESSAGES;

    private HikariDataSource database;
    private OutboxTables tables;
    private List<ShardLease> leases;

    @BeforeEach
    void append() throws SQLException {
        // As after some executions of the same statement: it is planned once for all lists.
        String url = SharedPostgres.freshUrl();
        database = SharedPostgres.pool(
                url + (url.contains("?") ? "&" : "?") + "options=-c%20plan_cache_mode=force_generic_plan");
        Outbox outbox = Outbox.open(database);
        tables = outbox.tables();
        try (Connection connection = database.getConnection()) {
            leases = tables.renew(connection, "relay", List.of(), List.of(), Duration.ofMinutes(1))
                    .held();
            connection.setAutoCommit(false);
            outbox.append(
                    connection,
                    IntStream.range(0, MESSAGES)
                            .mapToObj(i -> Message.of("orders", "order.paid", "{}".getBytes(UTF_8))
                                    .withKey("k" + i))
                            .toList());
            connection.commit();
            connection.setAutoCommit(true);
            try (Statement statement = connection.createStatement()) {
                statement.execute("update pg_class set reltuples = 0, relpages = 9000"
                        + " where oid in ('semel.outbox'::regclass, 'semel.outbox_pkey'::regclass)");
            }
        }
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void what_was_sent_is_deleted_by_the_index() throws Exception {
        try (Connection relay = database.getConnection()) {
            List<OutboxRow> all = read(relay);
            long before = reads(relay);
            Set<ShardLease> kept = tables.deleteSent(relay, leases, all);
            assertEquals(Set.copyOf(leases), kept);
            assertFew(reads(relay) - before);
            assertEquals(List.of(), read(relay));
        }
    }

    @Test
    void what_is_parked_is_moved_by_the_index() throws Exception {
        try (Connection relay = database.getConnection()) {
            List<OutboxRow> all = read(relay);
            List<ParkedRow> parked = all.stream()
                    .map(row -> new ParkedRow(row, row.position() % 2 == 0 ? "too-large" : ParkedRow.TAIL, "a test", 1))
                    .toList();
            long before = reads(relay);
            assertEquals(Set.copyOf(leases), tables.park(relay, leases, parked));
            assertFew(reads(relay) - before);
            assertEquals(
                    all.stream().filter(row -> row.position() % 2 != 0).toList().size(),
                    read(relay).size(),
                    "a tail whose key is not parked stays");
        }
    }

    @Test
    void only_shards_that_are_still_leased_are_touched() throws Exception {
        try (Connection relay = database.getConnection()) {
            List<OutboxRow> all = read(relay);
            List<ShardLease> late = leases.stream()
                    .map(lease -> lease.shard() % 2 == 0 ? lease : new ShardLease(lease.shard(), lease.epoch() - 1))
                    .toList();
            Set<ShardLease> kept = tables.deleteSent(relay, late, all);
            assertTrue(kept.stream().allMatch(lease -> lease.shard() % 2 == 0) && kept.size() == leases.size() / 2);
            List<OutboxRow> left = read(relay);
            assertTrue(left.stream().allMatch(row -> row.shard() % 2 != 0));
            assertEquals(all.stream().filter(row -> row.shard() % 2 != 0).count(), left.size());
        }
    }

    private List<OutboxRow> read(Connection relay) throws SQLException {
        Map<ShardLease, List<OutboxRow>> waiting = tables.reader().read(relay, leases, Holds.NONE, MESSAGES);
        return waiting.values().stream().flatMap(List::stream).toList();
    }

    private static void assertFew(long reads) {
        assertTrue(reads <= MOST_READS, reads + " entries of the index were read for " + MESSAGES + " messages");
    }

    /** How many entries of the index all sessions have read until now. */
    private static long reads(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select pg_stat_force_next_flush()");
            try (ResultSet row = statement.executeQuery("select idx_tup_read from pg_stat_user_indexes"
                    + " where indexrelid = 'semel.outbox_pkey'::regclass")) {
                row.next();
                return row.getLong(1);
            }
        }
    }
}
