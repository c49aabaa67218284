package dev.semel.examples.demo.messages;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** One of the two worlds: a shop, a broker, and those who write invoices. */
final class MessagesSide implements AutoCloseable {
    private static final String TABLES = """
        create table placed_order (id text primary key, cents bigint not null, at timestamptz not null default now());
        create table invoice (order_id text not null, cents bigint not null);
        """;

    private static final String COUNTS = """
        select (select count(*) from placed_order) as orders, count(*) as invoices,
               count(*) - count(distinct order_id) as twice,
               coalesce(sum(cents), 0) - coalesce(
                   (select sum(cents) from placed_order where id in (select order_id from invoice)), 0) as twice_cents
        from invoice
        """;

    /** Orders without an invoice that should have one by now, if nothing of them waits in the database. */
    private static final String MISSING = """
        select id, cents from placed_order as o
        where not exists (select from invoice as i where i.order_id = o.id)
          and at < now() - interval '3 seconds'
        """;

    private final boolean withSemel;
    private final HikariDataSource database;
    final BadBroker broker;
    final KillableShop shop;
    final Billing billing;
    private Set<String> missingBefore = Set.of();

    /** @param databaseUrl of a database of its own, which is empty */
    MessagesSide(boolean withSemel, String databaseUrl, Path folder, long seed) throws IOException, SQLException {
        this.withSemel = withSemel;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(databaseUrl);
        config.setMaximumPoolSize(4);
        this.database = new HikariDataSource(config);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
        this.broker = new BadBroker(seed);
        this.billing = new Billing(broker, database, withSemel);
        this.shop = KillableShop.start(
                withSemel ? ShopMain.OUTBOX : ShopMain.SEND_AFTER_COMMIT, databaseUrl, broker.port(), folder);
    }

    MessagesCount now() throws SQLException {
        return count(false);
    }

    /** When nothing is under way any more. */
    MessagesCount atTheEnd() throws SQLException {
        return count(true);
    }

    private synchronized MessagesCount count(boolean over) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            Map<String, Long> lost = lost(statement, over);
            try (ResultSet row = statement.executeQuery(COUNTS)) {
                row.next();
                long orders = row.getLong("orders");
                long invoices = row.getLong("invoices");
                long twice = row.getLong("twice");
                return new MessagesCount(
                        orders,
                        broker.requestsRefused.get(),
                        broker.answersLost.get(),
                        broker.redelivered.get(),
                        billing.absorbed.get(),
                        invoices,
                        Math.max(0, orders - (invoices - twice) - lost.size()),
                        lost.size(),
                        lost.values().stream().mapToLong(Long::longValue).sum(),
                        twice,
                        row.getLong("twice_cents"));
            }
        }
    }

    /** What is missing, on no way, and was so when it was looked for before: between two looks a message may change its place. */
    private Map<String, Long> lost(Statement statement, boolean over) throws SQLException {
        String sql = over ? MISSING.replace("interval '3 seconds'", "interval '0'") : MISSING;
        if (withSemel && !over) sql += " and not exists (select from semel.outbox as w where w.key = o.id)";
        Set<String> held = new HashSet<>(broker.held());
        Map<String, Long> missing = new HashMap<>();
        try (ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) missing.put(row.getString("id"), row.getLong("cents"));
        }
        held.addAll(broker.held());
        if (!over) missing.keySet().removeAll(held);
        Map<String, Long> lost = new HashMap<>(missing);
        if (!over) lost.keySet().retainAll(missingBefore);
        missingBefore = Set.copyOf(missing.keySet());
        return lost;
    }

    /** Whether everything that can still happen has happened. */
    boolean isQuiet() throws SQLException {
        if (!shop.isUp() || shop.unanswered() > 0 || !broker.held().isEmpty()) return false;
        if (!withSemel) return true;
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select not exists (select from semel.outbox)")) {
            row.next();
            return row.getBoolean(1) && broker.held().isEmpty();
        }
    }

    @Override
    public void close() throws IOException {
        shop.close();
        billing.close();
        broker.close();
        database.close();
    }
}
