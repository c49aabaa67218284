package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.delivery.DeliveryRules.Failure;
import dev.semel.broker.webhook.delivery.DeliveryRules.Next;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.Endpoint.Health;
import dev.semel.broker.webhook.endpoint.EndpointRows;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import dev.semel.broker.webhook.http.Answer;
import dev.semel.broker.webhook.tables.Sql;
import dev.semel.messaging.message.HeaderLines;
import dev.semel.messaging.message.OutgoingMessage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Deliveries as statements. Each method is a part of the caller's transaction. */
final class DeliveryTables {
    /** Enabled endpoints with something due whose breaker lets it through. */
    private static final String READY = """
        select e.* from semel.webhook_endpoint as e
        where e.disabled_at is null and (e.open_until is null or e.open_until <= ?)
            and exists (select 1 from semel.webhook_delivery as d where d.endpoint = e.id and d.state = 'open' and d.due_at <= ?)
        """;

    /**
     * A row is taken by one sender: others skip it while it is locked, and then it is due when the lease ends. Where order is kept, it
     * is taken only when nothing of its key is before it, delivered or dropped.
     */
    private static final String TAKE = """
        with due as (
            select d.message_id, d.endpoint from semel.webhook_delivery as d
            where d.endpoint = ? and d.state = 'open' and d.due_at <= ? %s
            order by d.due_at, d.seq limit ? for update skip locked
        ), taken as (
            update semel.webhook_delivery as d set leased = true, lease = d.lease + 1, due_at = ?
            from due where d.message_id = due.message_id and d.endpoint = due.endpoint
            returning d.message_id, d.seq, d.lease, d.attempts, d.created_at
        )
        select m.*, t.seq, t.lease, t.attempts, t.created_at from taken as t join semel.webhook_message as m using (message_id)
        order by t.seq
        """;

    private static final String NOTHING_BEFORE = """
        and (d.key is null or not exists (
            select 1 from semel.webhook_delivery as b where b.endpoint = d.endpoint and b.topic = d.topic and b.key = d.key
                and b.seq < d.seq and b.state in ('open', 'dead')))
        """;

    private static final String TAKE_ANY = TAKE.formatted("");
    private static final String TAKE_IN_ORDER = TAKE.formatted(NOTHING_BEFORE);

    /** Only whoever has the newest lease writes. */
    private static final String SETTLE = """
        update semel.webhook_delivery set leased = false, attempts = attempts + 1, state = ?, due_at = ?, ended_at = ?, kind = ?, error = ?
        where message_id = ? and endpoint = ? and state = 'open' and leased and lease = ?
        """;

    private static final String GIVE_BACK = """
        update semel.webhook_delivery set leased = false, due_at = ?
        where message_id = ? and endpoint = ? and state = 'open' and leased and lease = ?
        """;

    private static final int LONGEST_ERROR = 500;

    private DeliveryTables() {}

    static List<Endpoint> ready(Connection connection, Instant now) throws SQLException {
        return Sql.of(connection, READY, now, now).list(EndpointRows::endpoint);
    }

    /**
     * Takes some that are due, with a lease until then. While the breaker is open it takes one, and no other sender does.
     *
     * @return none when somebody was faster
     */
    static List<TakenDelivery> take(Connection connection, Endpoint endpoint, int most, Instant now, Duration lease)
            throws SQLException {
        Instant until = now.plus(lease);
        if (endpoint.health().openUntil() == null) return take(connection, endpoint, most, now, until, false);
        Object locked = Sql.of(
                        connection,
                        "select 1 from semel.webhook_endpoint where id = ? and disabled_at is null and open_until <= ?"
                                + " for update skip locked",
                        endpoint.id(),
                        now)
                .first(row -> row.getInt(1));
        if (locked == null) return List.of();
        List<TakenDelivery> probe = take(connection, endpoint, 1, now, until, true);
        if (!probe.isEmpty())
            Sql.of(connection, "update semel.webhook_endpoint set open_until = ? where id = ?", until, endpoint.id())
                    .update();
        return probe;
    }

    private static List<TakenDelivery> take(
            Connection connection, Endpoint endpoint, int most, Instant now, Instant until, boolean probe)
            throws SQLException {
        String sql = endpoint.plan().inOrder() ? TAKE_IN_ORDER : TAKE_ANY;
        return Sql.of(connection, sql, endpoint.id(), now, most, until)
                .list(row -> new TakenDelivery(
                        endpoint,
                        message(row),
                        row.getLong("lease"),
                        row.getInt("attempts"),
                        Sql.instant(row, "created_at"),
                        probe));
    }

    static OutgoingMessage message(ResultSet row) throws SQLException {
        return new OutgoingMessage(
                row.getObject("message_id", UUID.class),
                row.getString("topic"),
                row.getString("key"),
                row.getString("type"),
                HeaderLines.parse(row.getString("headers")),
                row.getBytes("payload"),
                Sql.instant(row, "appended_at"));
    }

    /** What is written after an attempt. @return what happened, for listeners */
    static List<WebhookEvent> settle(
            Connection connection, TakenDelivery taken, Answer answer, Next next, Duration took, Instant now)
            throws SQLException {
        Failure failure = DeliveryRules.failure(answer);
        log(connection, taken, answer, failure, took, now);
        UUID endpoint = taken.endpoint().id();
        UUID message = taken.message().id();
        boolean mine = Sql.of(
                                connection,
                                SETTLE,
                                state(next),
                                next instanceof Next.Again(Duration pause) ? now.plus(pause) : now,
                                next instanceof Next.Again ? null : now,
                                failure == null ? null : failure.kind(),
                                failure == null ? null : shortened(failure.reason()),
                                message,
                                endpoint,
                                taken.lease())
                        .update()
                > 0;
        List<WebhookEvent> events = new ArrayList<>();
        int attempts = taken.attempts() + 1;
        if (!mine) events.add(new WebhookEvent.LeaseLost(endpoint, message));
        else
            events.add(
                    switch (next) {
                        case Next.Delivered it -> new WebhookEvent.Delivered(endpoint, message, attempts, took);
                        case Next.Again(Duration pause) ->
                            new WebhookEvent.Failed(
                                    endpoint, message, attempts, kind(failure), reason(failure), now.plus(pause));
                        case Next.Dead it ->
                            new WebhookEvent.Died(endpoint, message, attempts, kind(failure), reason(failure));
                    });
        events.addAll(failure == null ? well(connection, taken) : ill(connection, taken, answer, now));
        return events;
    }

    private static String state(Next next) {
        return switch (next) {
            case Next.Delivered it -> "delivered";
            case Next.Again it -> "open";
            case Next.Dead it -> "dead";
        };
    }

    private static String kind(@Nullable Failure failure) {
        return failure == null ? "none" : failure.kind();
    }

    private static String reason(@Nullable Failure failure) {
        return failure == null ? "" : failure.reason();
    }

    private static String shortened(String text) {
        String clean = text.replaceAll("\\p{Cntrl}+", " ");
        if (clean.length() <= LONGEST_ERROR) return clean;
        // Half a character cannot be stored.
        int end = Character.isHighSurrogate(clean.charAt(LONGEST_ERROR - 1)) ? LONGEST_ERROR - 1 : LONGEST_ERROR;
        return clean.substring(0, end);
    }

    private static void log(
            Connection connection,
            TakenDelivery taken,
            Answer answer,
            @Nullable Failure failure,
            Duration took,
            Instant now)
            throws SQLException {
        Sql.of(
                        connection,
                        "insert into semel.webhook_attempt (at, message_id, endpoint, attempt, status, took_ms, error,"
                                + " body) values (?, ?, ?, ?, cast(? as int), ?, ?, ?)",
                        now,
                        taken.message().id(),
                        taken.endpoint().id(),
                        taken.attempts() + 1,
                        answer instanceof Answer.Status it ? it.code() : null,
                        (int) Math.min(took.toMillis(), Integer.MAX_VALUE),
                        failure == null ? null : shortened(failure.reason()),
                        answer instanceof Answer.Status it && !it.body().isEmpty() ? it.body() : null)
                .update();
    }

    /** Does not touch the row of an endpoint that was well before: all its deliveries would wait for each other. */
    private static List<WebhookEvent> well(Connection connection, TakenDelivery taken) throws SQLException {
        UUID id = taken.endpoint().id();
        Boolean wasOpen = Sql.of(
                        connection,
                        "with before as (select id, open_until from semel.webhook_endpoint where id = ? and failures >"
                            + " 0 for update) update semel.webhook_endpoint as e set failures = 0, failing_since ="
                            + " null, open_until = null from before where e.id = before.id returning before.open_until"
                            + " is not null",
                        id)
                .first(row -> row.getBoolean(1));
        return Boolean.TRUE.equals(wasOpen) ? List.of(new WebhookEvent.BreakerClosed(id)) : List.of();
    }

    private static List<WebhookEvent> ill(Connection connection, TakenDelivery taken, Answer answer, Instant now)
            throws SQLException {
        UUID id = taken.endpoint().id();
        Endpoint endpoint = Sql.of(connection, "select * from semel.webhook_endpoint where id = ? for update", id)
                .first(EndpointRows::endpoint);
        if (endpoint == null) return List.of();
        HealthRules.Verdict verdict = HealthRules.afterFailure(endpoint.health(), answer, taken.probe(), now);
        Health health = verdict.health();
        Sql.of(
                        connection,
                        "update semel.webhook_endpoint set failures = ?, failing_since = ?, open_until = ? where id ="
                                + " ?",
                        health.failures(),
                        health.failingSince(),
                        health.openUntil(),
                        id)
                .update();
        List<WebhookEvent> events = new ArrayList<>();
        if (verdict.opened() && health.openUntil() != null)
            events.add(new WebhookEvent.BreakerOpened(id, health.failures(), health.openUntil()));
        if (verdict.disabled() != null && WebhookEndpoints.disable(connection, id, verdict.disabled(), now))
            events.add(new WebhookEvent.EndpointDisabled(id, verdict.disabled()));
        return events;
    }

    /** It was not sent at all: this was no attempt. */
    static void giveBack(Connection connection, TakenDelivery taken, Instant dueAt) throws SQLException {
        Sql.of(
                        connection,
                        GIVE_BACK,
                        dueAt,
                        taken.message().id(),
                        taken.endpoint().id(),
                        taken.lease())
                .update();
    }
}
