package dev.semel.broker.webhook.delivery;

import dev.semel.broker.webhook.tables.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** What becomes of deliveries as they get old: in small steps, each of them a transaction. */
final class Housekeeping {
    private static final int STEP = 1000;

    /** What could not be sent at all for too long: its endpoint is disabled, or it waits behind a dead one of its key. */
    private static final String EXPIRE = """
        with old as (
            select d.message_id, d.endpoint from semel.webhook_delivery as d join semel.webhook_endpoint as e on e.id = d.endpoint
            where d.state = 'open' and d.due_at <= ? and d.created_at < cast(? as timestamptz) - make_interval(secs => e.max_age_seconds)
                and (e.disabled_at is not null or (e.in_order and d.key is not null and exists (
                    select 1 from semel.webhook_delivery as b where b.endpoint = d.endpoint and b.topic = d.topic
                        and b.key = d.key and b.seq < d.seq and b.state = 'dead')))
            limit ? for update of d skip locked
        )
        update semel.webhook_delivery as d set state = 'dead', ended_at = ?, kind = 'expired', error = 'it waited for too long'
        from old where d.message_id = old.message_id and d.endpoint = old.endpoint
        """;

    /** What was sent is kept, so that a message which the relay hands over twice is not delivered anew. */
    private static final String FORGET_DELIVERIES = """
        delete from semel.webhook_delivery where (message_id, endpoint) in (
            select message_id, endpoint from semel.webhook_delivery
            where ended_at < ? and (state in ('delivered', 'dropped') or ended_at < ?) order by ended_at limit ? for update skip locked)
        """;

    private static final String FORGET_MESSAGES = """
        delete from semel.webhook_message where message_id in (
            select m.message_id from semel.webhook_message as m
            where m.stored_at < ? and not exists (select 1 from semel.webhook_delivery as d where d.message_id = m.message_id)
            order by m.stored_at limit ? for update skip locked)
        """;

    private static final String FORGET_ATTEMPTS =
            "delete from semel.webhook_attempt where id in (select id from semel.webhook_attempt where at < ? order by"
                    + " at limit ?)";

    private final Duration keep;
    private final Duration keepDead;

    /** @param keepDead for how long a dead delivery can still be redriven */
    Housekeeping(Duration keep, Duration keepDead) {
        this.keep = keep;
        this.keepDead = keepDead;
    }

    /**
     * How much it did.
     *
     * @param more whether there is more to do at once
     */
    record Round(int expired, boolean more) {}

    Round run(Connection connection, Instant now) throws SQLException {
        int expired = Sql.of(connection, EXPIRE, now, now, STEP, now).update();
        Instant before = now.minus(keep);
        int deliveries = Sql.of(connection, FORGET_DELIVERIES, before, now.minus(keepDead), STEP)
                .update();
        int messages = Sql.of(connection, FORGET_MESSAGES, before, STEP).update();
        int attempts = Sql.of(connection, FORGET_ATTEMPTS, before, STEP).update();
        return new Round(expired, expired == STEP || deliveries == STEP || messages == STEP || attempts == STEP);
    }
}
