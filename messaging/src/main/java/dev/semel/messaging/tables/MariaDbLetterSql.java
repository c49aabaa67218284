package dev.semel.messaging.tables;

/** What is said to MariaDB and MySQL about dead letters. */
final class MariaDbLetterSql {
    private MariaDbLetterSql() {}

    static final String FIRST_OF_KEY = """
        not exists (select 1 from semel_dead_letter as ahead
            where ahead.topic = letter.topic and ahead.message_key = letter.message_key and ahead.id < letter.id)
        """;

    static final String COLUMNS = """
        letter.id, letter.parked_at, letter.attempts, letter.due, letter.kind, letter.error,
            octet_length(letter.payload) as payload_bytes, letter.appended_at, letter.message_id, letter.topic,
            letter.message_key, letter.type, letter.headers
        """;

    /** However either is written. */
    static final String ERROR_HAS =
            "locate(lower(convert(? using utf8mb4)), lower(convert(letter.error using utf8mb4))) > 0";

    static final String KEYS_AND_LETTERS = """
        select (select count(*) from heads) as heads,
            (select count(*) from semel_dead_letter as letter where letter.message_key is null
                and letter.id in (select id from heads))
            + (select count(*) from semel_dead_letter as letter join heads
                on heads.topic = letter.topic and heads.message_key = letter.message_key) as letters
        """;

    static final String BEGIN = """
        insert into semel_redrive
            (begun_at, topic, message_key, type, kind, error, parked_after, parked_before, per_second, canary, by_whom, reason)
        values ({now}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """.replace("{now}", MariaDbStatement.NOW);

    static final String AUDIT =
            "insert into semel_dead_letter_audit (at, by_whom, action, redrive, message_id, topic, reason)"
                    + " values (" + MariaDbStatement.NOW + ", ?, ?, ?, ?, ?, ?)";

    private static final String WITH_COUNTS = """
        select redrive.*,
            (select count(*) from semel_dead_letter as letter where letter.redrive = redrive.id and letter.due = 1) as open,
            (select count(*) from semel_dead_letter as letter where letter.redrive = redrive.id and letter.due = 0) as refused
        from semel_redrive as redrive
        """;

    static final String REDRIVES = WITH_COUNTS + "order by redrive.id desc limit ?";

    static final String REDRIVE = WITH_COUNTS + "where redrive.id = ?";

    /** Of several relays one at a time advances a redrive, at most twice a second. */
    static final String RUNNING = "select id from semel_redrive where state = 'running' and advanced_at < "
            + MariaDbStatement.NOW + " - 450000 order by id";

    static final String MOVE =
            "update semel_redrive set state = ?, note = null, ended_at = case when ? = 'cancelled' then "
                    + MariaDbStatement.NOW + " end where id = ? and state in ";

    /** What was chosen and not sent yet stays a dead letter when the redrive is paused or cancelled. */
    static final String STOP = "update semel_dead_letter set due = 0, redrive = null where redrive = ? and due = 1";

    static final String CHOOSE_KEY =
            "update semel_dead_letter set due = 1, redrive = ? where topic = ? and message_key = ?";

    static final String CHOOSE_ONE = "update semel_dead_letter set due = 1, redrive = ? where id = ?";

    static final String CHOSEN =
            "update semel_redrive set chosen = chosen + ?, advanced_at = " + MariaDbStatement.NOW + " where id = ?";

    static final String DONE =
            "update semel_redrive set state = 'done', ended_at = " + MariaDbStatement.NOW + " where id = ?";

    static final String PAUSE = "update semel_redrive set state = 'paused', note = ? where id = ?";

    /** Who changes which letters are due does so alone: no relay parks or settles anything meanwhile. */
    static final String ALONE = "select shard from semel_relay_shard order by shard for update";
}
