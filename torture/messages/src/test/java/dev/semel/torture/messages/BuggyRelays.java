package dev.semel.torture.messages;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.relay.RelayRun;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.messaging.relay.Wakeup;
import dev.semel.messaging.tables.OutboxReader;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.PostgresOutboxTables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Relays with mistakes that were made in real systems, between the relay and its tables. Each is a main class with the arguments of {@link RelayChild}. */
final class BuggyRelays {
    private BuggyRelays() {}

    /** What comes after the last one that was sent is new: {@code id > last}. */
    public static final class AfterLast {
        public static void main(String[] args) throws Exception {
            OutboxTables tables = new PostgresOutboxTables();
            Map<Integer, Long> last = new ConcurrentHashMap<>();
            run(args, tables, new Bug() {
                @Override
                public Object deleteSent(
                        Connection connection, Collection<ShardLease> leases, Collection<OutboxRow> sent)
                        throws SQLException {
                    for (OutboxRow row : sent) last.merge(row.shard(), row.position(), Math::max);
                    return tables.deleteSent(connection, leases, sent);
                }

                @Override
                public boolean reads(OutboxRow row) {
                    return row.position() > last.getOrDefault(row.shard(), 0L);
                }
            });
        }
    }

    /** What was sent is deleted, whoever has the shard by now. */
    public static final class WithoutEpoch {
        public static void main(String[] args) throws Exception {
            run(args, new PostgresOutboxTables(), new Bug() {
                @Override
                public Object deleteSent(
                        Connection connection, Collection<ShardLease> leases, Collection<OutboxRow> sent)
                        throws SQLException {
                    try (PreparedStatement delete =
                            connection.prepareStatement("delete from semel.outbox where shard = ? and id = ?")) {
                        for (OutboxRow row : sent) {
                            delete.setInt(1, row.shard());
                            delete.setLong(2, row.position());
                            delete.addBatch();
                        }
                        delete.executeBatch();
                    }
                    return java.util.Set.copyOf(leases);
                }
            });
        }
    }

    /** What stands behind a dead letter is sent as if there were none. */
    public static final class TailSkipped {
        public static void main(String[] args) throws Exception {
            run(args, new PostgresOutboxTables(), new Bug() {
                @Override
                public OutboxRow seen(OutboxRow row) {
                    return new OutboxRow(row.shard(), row.position(), false, row.attempts(), row.message());
                }
            });
        }
    }

    private interface Bug {
        /** @return null when that is right */
        default Object deleteSent(Connection connection, Collection<ShardLease> leases, Collection<OutboxRow> sent)
                throws SQLException {
            return null;
        }

        default boolean reads(OutboxRow row) {
            return true;
        }

        default OutboxRow seen(OutboxRow row) {
            return row;
        }
    }

    private static void run(String[] args, OutboxTables tables, Bug bug) throws Exception {
        HikariDataSource database = Databases.pool(args[0], 6);
        RelaySettings settings = RelaySettings.DEFAULT
                .withLease(Duration.ofMillis(Long.parseLong(args[3])))
                .withPauses(Duration.ofMillis(50), Duration.ofMillis(500));
        KafkaBroker broker = KafkaBroker.open(args[1], "/torture");
        RelayRun.start(args[2], database, in(tables, bug), broker, settings, event -> {}, new Wakeup());
        Thread.currentThread().join();
    }

    @SuppressWarnings("unchecked")
    private static OutboxTables in(OutboxTables tables, Bug bug) {
        return (OutboxTables) Proxy.newProxyInstance(
                OutboxTables.class.getClassLoader(), new Class<?>[] {OutboxTables.class}, (proxy, method, given) -> {
                    if (method.getName().equals("reader")) return reader(tables.reader(), bug);
                    if (method.getName().equals("deleteSent")) {
                        Object done = bug.deleteSent(
                                (Connection) given[0], (Collection<ShardLease>) given[1], (Collection<OutboxRow>)
                                        given[2]);
                        if (done != null) return done;
                    }
                    try {
                        return method.invoke(tables, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static OutboxReader reader(OutboxReader reader, Bug bug) {
        return (connection, leases, holds, perShard) -> {
            Map<ShardLease, List<OutboxRow>> read = new LinkedHashMap<>();
            reader.read(connection, leases, holds, perShard)
                    .forEach((lease, rows) -> read.put(
                            lease,
                            rows.stream().filter(bug::reads).map(bug::seen).toList()));
            return read;
        };
    }
}
