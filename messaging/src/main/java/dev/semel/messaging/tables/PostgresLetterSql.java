package dev.semel.messaging.tables;

/** What is said to PostgreSQL about dead letters. */
final class PostgresLetterSql {
    private PostgresLetterSql() {}

    /** A filter as it stands in its own columns, or as parameters in this order. */
    private static final String MATCHES = """
        (f.topic is null or letter.topic = f.topic)
        and (f.key is null or letter.key = f.key)
        and (f.type is null or letter.type = f.type)
        and (f.kind is null or letter.kind = f.kind)
        and (f.error is null or position(lower(f.error) in lower(letter.error)) > 0)
        and (f.parked_after is null or letter.parked_at >= f.parked_after)
        and (f.parked_before is null or letter.parked_at < f.parked_before)
        """;

    private static final String FILTER = """
        (select ?::text as topic, ?::text as key, ?::text as type, ?::text as kind, ?::text as error,
            ?::timestamptz as parked_after, ?::timestamptz as parked_before) as f
        """;

    private static final String FIRST_OF_KEY = """
        not exists (select from semel.dead_letter as ahead
            where ahead.topic = letter.topic and ahead.key = letter.key and ahead.id < letter.id)
        """;

    private static final String COLUMNS = """
        letter.shard, letter.id, letter.parked_at, letter.attempts, letter.due, letter.kind, letter.error,
            octet_length(letter.payload) as payload_bytes, letter.appended_at, letter.message_id, letter.topic, letter.key, letter.type,
            letter.headers
        """;

    static final String LIST = "select " + COLUMNS + ", ''::bytea as payload from semel.dead_letter as letter, "
            + FILTER + " where letter.id > ? and " + MATCHES + " order by letter.id limit ?";

    static final String FIND =
            "select " + COLUMNS + ", letter.payload from semel.dead_letter as letter where letter.message_id = ?";

    static final String COUNT =
            "with heads as (select letter.id, letter.topic, letter.key from semel.dead_letter as letter, "
                    + FILTER + " where not letter.due and " + FIRST_OF_KEY + " and " + MATCHES + """
                    )
                    select (select count(*) from heads) as keys, (select count(*) from semel.dead_letter as letter where
                        letter.id in (select id from heads)
                        or (letter.topic, letter.key) in (select topic, key from heads where key is not null)) as letters
                    """;

    static final String BEGIN = """
        with begun as (
            insert into semel.redrive
                (topic, key, type, kind, error, parked_after, parked_before, per_second, canary, by_whom, reason)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            returning id, by_whom, reason
        ), audited as (
            insert into semel.dead_letter_audit (by_whom, action, redrive, reason)
            select by_whom, 'redrive', id, reason from begun
        )
        select id from begun
        """;

    static final String REDRIVES = """
        select redrive.*,
            (select count(*) from semel.dead_letter as letter where letter.redrive = redrive.id and letter.due) as open,
            (select count(*) from semel.dead_letter as letter where letter.redrive = redrive.id and not letter.due) as refused
        from semel.redrive order by id desc limit ?
        """;

    /** What was chosen and not sent yet stays a dead letter when the redrive is paused or cancelled. */
    static final String MOVE = """
        with moved as (
            update semel.redrive set state = ?, note = null,
                ended_at = case when ? = 'cancelled' then clock_timestamp() end
            where id = ? and state = any (?::text[])
            returning id, state
        ), stopped as (
            update semel.dead_letter set due = false, redrive = null
            where redrive in (select id from moved where state in ('paused', 'cancelled')) and due
        ), audited as (
            insert into semel.dead_letter_audit (by_whom, action, redrive, reason) select ?, ?, id, ? from moved
        )
        select count(*) from moved
        """;

    /** Until this transaction ends, no relay parks anything in the shard of this letter. */
    static final String LOCK_SHARD = """
        select from semel.relay_shard where shard = (select shard from semel.dead_letter where message_id = ?) for update
        """;

    /** Nor in any. */
    static final String LOCK_SHARDS = "select from semel.relay_shard order by shard for update";

    /** What is being sent just now stays. A key without letters is not parked any more. */
    static final String DROP = """
        with gone as (
            delete from semel.dead_letter where message_id = ? and not due
            returning id, shard, topic, key, message_id
        ), released as (
            delete from semel.parked_key as parked using gone
            where parked.shard = gone.shard and parked.topic = gone.topic and parked.key = gone.key
                and not exists (
                    select from semel.dead_letter as left_over
                    where left_over.topic = gone.topic and left_over.key = gone.key and left_over.id <> gone.id)
        ), audited as (
            insert into semel.dead_letter_audit (by_whom, action, message_id, topic, reason)
            select ?, 'drop', message_id, topic, ? from gone
        )
        select count(*) from gone
        """;

    /** Of several relays one at a time advances a redrive, at most twice a second. */
    static final String RUNNING = """
        select id, per_second, canary, chosen,
            (select count(*) from semel.dead_letter as letter where letter.redrive = redrive.id and letter.due) as open,
            (select count(*) from semel.dead_letter as letter where letter.redrive = redrive.id and not letter.due) as refused
        from semel.redrive
        where state = 'running' and advanced_at < clock_timestamp() - interval '450 milliseconds'
        order by id for update skip locked
        """;

    static final String CHOOSE = "with f as (select * from semel.redrive where id = ?), heads as ("
            + " select letter.id, letter.topic, letter.key from semel.dead_letter as letter, f"
            + " where not letter.due and letter.redrive is distinct from f.id and " + FIRST_OF_KEY + " and " + MATCHES
            + " order by letter.id limit ?), " + """
            chosen as (
                update semel.dead_letter as letter set due = true, redrive = (select id from f)
                where letter.id in (select id from heads)
                    or (letter.topic, letter.key) in (select topic, key from heads where key is not null)
                returning letter.id
            ), counted as (
                update semel.redrive set chosen = chosen + (select count(*) from chosen), advanced_at = clock_timestamp()
                where id = (select id from f)
            )
            select count(*) from chosen
            """;

    static final String WAIT = "update semel.redrive set advanced_at = clock_timestamp() where id = ?";

    static final String DONE = "update semel.redrive set state = 'done', ended_at = clock_timestamp() where id = ?";

    static final String PAUSE = "update semel.redrive set state = 'paused', note = ? where id = ?";
}
