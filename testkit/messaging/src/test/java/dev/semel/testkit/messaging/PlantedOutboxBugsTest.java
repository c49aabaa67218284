package dev.semel.testkit.messaging;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.tables.MessagingDatabase;
import dev.semel.messaging.tables.OutboxReader;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the contract is for: tables with the mistakes that outboxes have had elsewhere do not pass it. */
@ExtendWith(MariaDbScene.class)
@Timeout(60)
class PlantedOutboxBugsTest {
    @Test
    void reading_on_after_the_last_number_loses_messages() throws Exception {
        List<String> problems = check(real -> with(real, Map.of("reader", arguments -> readingOn(real.reader()))));
        assertTrue(problems.stream().anyMatch(it -> it.startsWith("lost: ")), problems.toString());
    }

    @Test
    void sending_what_is_behind_a_parked_message_breaks_the_order() throws Exception {
        List<String> problems = check(real -> with(real, Map.of("reader", arguments -> overtaking(real.reader()))));
        assertTrue(problems.stream().anyMatch(it -> it.contains(" came after ")), problems.toString());
    }

    @Test
    void acknowledging_without_the_epoch_is_noticed() throws Exception {
        MariaDbOutboxTest contract = new MariaDbOutboxTest() {
            @Override
            protected OutboxTables tables() throws SQLException {
                OutboxTables real = super.tables();
                return with(real, Map.of("deleteSent", arguments -> {
                    Connection connection = (Connection) arguments[0];
                    return real.deleteSent(
                            connection, newest(real, connection, leases(arguments[1])), rows(arguments[2]));
                }));
            }
        };
        contract.openDatabase();
        contract.openOutbox();
        try {
            OutboxTablesContract.Acknowledging law = contract.new Acknowledging();
            assertThrows(AssertionError.class, law::whoever_has_lost_the_lease_deletes_parks_and_settles_nothing);
        } finally {
            contract.closeDatabase();
        }
    }

    /** On a machine that has much else to do, a run may be too short. */
    private static List<String> check(UnaryOperator<OutboxTables> bug) throws Exception {
        List<String> problems = run(bug);
        for (int runs = 1; problems.isEmpty() && runs < 5; runs++) problems = run(bug);
        return problems;
    }

    private static List<String> run(UnaryOperator<OutboxTables> bug) throws Exception {
        try (HikariDataSource database = MariaDbScene.freshDatabase()) {
            long seed = Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
            OutboxTables tables = bug.apply(MessagingDatabase.of(database).outbox());
            return new LossCheck(database, tables, seed, Duration.ofSeconds(3))
                    .run(Duration.ofMillis(2500), () -> {})
                    .problems();
        }
    }

    private interface Call {
        Object with(Object[] arguments) throws SQLException;
    }

    private static OutboxTables with(OutboxTables real, Map<String, Call> bugs) {
        return (OutboxTables) Proxy.newProxyInstance(
                OutboxTables.class.getClassLoader(),
                new Class<?>[] {OutboxTables.class},
                (proxy, method, arguments) -> {
                    Call bug = bugs.get(method.getName());
                    if (bug != null) return bug.with(arguments);
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static OutboxReader readingOn(OutboxReader real) {
        Map<Integer, Long> last = new HashMap<>();
        return (connection, leases, holds, perShard) -> changed(
                real.read(connection, leases, holds, perShard),
                rows -> rows.stream()
                        .filter(row -> row.position() > last.getOrDefault(row.shard(), 0L))
                        .peek(row -> last.put(row.shard(), row.position()))
                        .toList());
    }

    private static OutboxReader overtaking(OutboxReader real) {
        return (connection, leases, holds, perShard) -> changed(
                real.read(connection, leases, holds, perShard),
                rows -> rows.stream()
                        .map(row -> new OutboxRow(row.shard(), row.position(), false, row.attempts(), row.message()))
                        .toList());
    }

    private static Map<ShardLease, List<OutboxRow>> changed(
            Map<ShardLease, List<OutboxRow>> read, UnaryOperator<List<OutboxRow>> change) {
        Map<ShardLease, List<OutboxRow>> changed = new LinkedHashMap<>();
        read.forEach((lease, rows) -> changed.put(lease, change.apply(rows)));
        return changed;
    }

    private static List<ShardLease> newest(OutboxTables real, Connection connection, Collection<ShardLease> leases)
            throws SQLException {
        List<ShardLease> newest = new ArrayList<>();
        real.status(connection).shards().forEach(shard -> newest.add(new ShardLease(shard.shard(), shard.epoch())));
        newest.removeIf(it -> leases.stream().noneMatch(lease -> lease.shard() == it.shard()));
        return newest;
    }

    @SuppressWarnings("unchecked")
    private static Collection<ShardLease> leases(Object argument) {
        return (Collection<ShardLease>) argument;
    }

    @SuppressWarnings("unchecked")
    private static Collection<OutboxRow> rows(Object argument) {
        return (Collection<OutboxRow>) argument;
    }
}
