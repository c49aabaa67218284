package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.tables.DeliveryTime;
import dev.semel.broker.webhook.tables.Sql;
import dev.semel.broker.webhook.tables.Transactions;
import dev.semel.broker.webhook.tables.WebhookSchema;
import dev.semel.messaging.message.OutgoingMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Deliveries for people who look after them. Safe for use by any thread. */
public final class WebhookDeliveries {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int COUNTED = 100_000;

    private static final String LIST = """
        select d.*, m.type from semel.webhook_delivery as d join semel.webhook_message as m using (message_id)
        where (cast(? as uuid) is null or d.endpoint = ?) and (cast(? as text) is null or d.state = ?) and d.seq < ?
        order by d.seq desc limit ?
        """;

    private static final String REDRIVE = """
        update semel.webhook_delivery set state = 'open', attempts = 0, created_at = ?, due_at = ?, ended_at = null, leased = false
        where endpoint = ? and (cast(? as uuid) is null or message_id = ?) and state = any (?)
        """;

    private static final String STATUS = """
        select (select count(*) from (select 1 from semel.webhook_delivery where state = 'open' limit ?) as o) as waiting,
            (select count(*) from (select 1 from semel.webhook_delivery where state = 'dead' limit ?) as d) as dead,
            (select count(*) from semel.webhook_endpoint where disabled_at is not null) as disabled,
            (select count(*) from semel.webhook_endpoint where disabled_at is null and open_until is not null) as resting,
            (select min(d.first) from semel.webhook_endpoint as e cross join lateral (
                select due_at as first from semel.webhook_delivery where endpoint = e.id and state = 'open' order by due_at limit 1) as d
                where e.disabled_at is null) as due
        """;

    private final Transactions transactions;

    private WebhookDeliveries(Transactions transactions) {
        this.transactions = transactions;
    }

    /** @throws IllegalStateException when the tables are missing */
    public static WebhookDeliveries in(DataSource database) throws SQLException {
        return in(database, DeliveryTime.DATABASE);
    }

    /** By another clock, for tests. */
    public static WebhookDeliveries in(DataSource database, DeliveryTime time) throws SQLException {
        WebhookSchema.require(database);
        return new WebhookDeliveries(new Transactions(database, time, PATIENCE));
    }

    /** How far a delivery is. */
    public enum State {
        OPEN,
        DELIVERED,
        DEAD,
        DROPPED;

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * A message on its way to one endpoint.
     *
     * @param position where it stands in lists
     * @param kind one word for what went wrong last; null for nothing
     */
    public record Line(
            long position,
            UUID message,
            UUID endpoint,
            String topic,
            @Nullable String key,
            String type,
            State state,
            boolean underWay,
            int attempts,
            Instant createdAt,
            Instant dueAt,
            @Nullable String kind,
            @Nullable String error) {}

    /**
     * The newest first.
     *
     * @param before only those with a smaller position
     */
    public List<Line> list(@Nullable UUID endpoint, @Nullable State state, long before, int most) throws SQLException {
        String word = state == null ? null : state.word();
        return transactions.run(
                (connection, now) -> Sql.of(connection, LIST, endpoint, endpoint, word, word, before, most)
                        .list(row -> line(row, now)));
    }

    /** To all endpoints. */
    public List<Line> of(UUID message) throws SQLException {
        return transactions.run((connection, now) -> Sql.of(
                        connection,
                        "select d.*, m.type from semel.webhook_delivery as d join semel.webhook_message as m using"
                                + " (message_id) where message_id = ? order by d.seq",
                        message)
                .list(row -> line(row, now)));
    }

    private static Line line(ResultSet row, Instant now) throws SQLException {
        Instant dueAt = Sql.instant(row, "due_at");
        return new Line(
                row.getLong("seq"),
                row.getObject("message_id", UUID.class),
                row.getObject("endpoint", UUID.class),
                row.getString("topic"),
                row.getString("key"),
                row.getString("type"),
                State.valueOf(row.getString("state").toUpperCase(java.util.Locale.ROOT)),
                row.getBoolean("leased") && dueAt.isAfter(now),
                row.getInt("attempts"),
                Sql.instant(row, "created_at"),
                dueAt,
                row.getString("kind"),
                row.getString("error"));
    }

    /** What is delivered; null when there is no such message any more. */
    public @Nullable OutgoingMessage message(UUID message) throws SQLException {
        return transactions
                .run((connection, now) -> Sql.of(
                                connection, "select * from semel.webhook_message where message_id = ?", message)
                        .list(DeliveryTables::message))
                .stream()
                .findFirst()
                .orElse(null);
    }

    /** @param status null: there was no answer */
    public record Attempt(
            Instant at,
            UUID endpoint,
            int number,
            @Nullable Integer status,
            Duration took,
            @Nullable String error,
            @Nullable String body) {}

    /** All that are still known, the first one first. */
    public List<Attempt> attempts(UUID message) throws SQLException {
        return transactions.run((connection, now) -> Sql.of(
                        connection,
                        "select * from semel.webhook_attempt where message_id = ? order by id limit 1000",
                        message)
                .list(row -> new Attempt(
                        Sql.instant(row, "at"),
                        row.getObject("endpoint", UUID.class),
                        row.getInt("attempt"),
                        row.getObject("status", Integer.class),
                        Duration.ofMillis(row.getInt("took_ms")),
                        row.getString("error"),
                        row.getString("body"))));
    }

    /**
     * Sends again what is dead, with the ids that it has always had: the schedule begins anew.
     *
     * @param message null: all that are dead at this endpoint
     * @param delivered also what was delivered, for a receiver that has lost it; only with a message
     * @return how many
     */
    public int redrive(UUID endpoint, @Nullable UUID message, boolean delivered) throws SQLException {
        if (delivered && message == null)
            throw new IllegalArgumentException("What was delivered is sent again one message at a time.");
        List<String> states = delivered ? List.of("dead", "dropped", "delivered") : List.of("dead");
        return transactions.run((connection, now) -> Sql.of(
                        connection, REDRIVE, now, now, endpoint, message, message, Sql.texts(states))
                .update());
    }

    /** A dead delivery is not sent any more; what waits behind it goes on. @return whether there was one */
    public boolean drop(UUID endpoint, UUID message) throws SQLException {
        return transactions.run((connection, now) -> Sql.of(
                                connection,
                                "update semel.webhook_delivery set state = 'dropped', ended_at = ? where endpoint = ?"
                                        + " and message_id = ? and state = 'dead'",
                                now,
                                endpoint,
                                message)
                        .update()
                > 0);
    }

    /**
     * How it is going.
     *
     * @param waiting counted up to 100,000, as the dead
     * @param resting endpoints whose breaker is open
     * @param late for how long the delivery that is due for the longest has been so
     */
    public record Status(long waiting, long dead, int disabled, int resting, Duration late) {}

    public Status status() throws SQLException {
        return transactions
                .run((connection, now) ->
                        Sql.of(connection, STATUS, COUNTED, COUNTED).list(row -> status(row, now)))
                .getFirst();
    }

    private static Status status(ResultSet row, Instant now) throws SQLException {
        Instant due = Sql.instantOrNull(row, "due");
        return new Status(
                row.getLong("waiting"),
                row.getLong("dead"),
                row.getInt("disabled"),
                row.getInt("resting"),
                due == null || due.isAfter(now) ? Duration.ZERO : Duration.between(due, now));
    }
}
