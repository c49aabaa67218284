package dev.semel.store.jdbc;

/**
 * What is said to PostgreSQL on the path of a request. Each is one statement and one transaction of its own. Those
 * that write take the rows of many callers at once, in the order of their ids, so that none waits in a circle with
 * another. Every time comes from {@code statement_timestamp()}: it
 * stands still within a statement, and there is no other clock.
 */
final class PostgresSql {
    private PostgresSql() {}

    /** All that makes a record, but for the outcome, which may be large and is not always asked for. */
    private static final String COLUMNS = "tenant, operation, key, fingerprint, token, attempt, revision, state, since,"
            + " holder, lease_until, replay_until, forget_at, reason, probe_at, probes, remote, memo, history";

    /**
     * The ids asked for, as a table. The conditions are always true, and are there for the planner: it assumes that each holds for a
     * third of the rows, expects hardly any row, and looks these up one by one. Otherwise it would scan all of a table that was small
     * when the plan was made, and go on to do so while the table grows.
     */
    private static final String REQUESTED_IDS =
            "(select id from unnest(?::bytea[]) as asked (id) where octet_length(id) > 0 and octet_length(id) + 1 > 0"
                    + " and octet_length(id) + 2 > 0) as requested";

    /**
     * Of any number of concurrent inserts of a key one writes; the others get its row. No row at all for a key means
     * that the other insert was committed after this statement had begun: it was met, but is not to be seen in the
     * statement's snapshot, or that an open transaction has {@link #JOIN joined} the key: its row must not be waited for,
     * or one caller's transaction would hold up all the others of this batch. The first token and revision are {@code NewKey.firstToken} of the database's clock.
     */
    static final String INSERT = """
        with fresh as (
            insert into semel_key (id, tenant, operation, key, fingerprint, holder, lease_until, remote, memo,
                token, revision, attempt, state, since)
            select id, tenant, operation, key, fingerprint, holder,
                statement_timestamp() + lease * interval '1 microsecond', remote = 1, memo,
                extract(epoch from statement_timestamp()) * 1000000,
                extract(epoch from statement_timestamp()) * 1000000,
                1, state, statement_timestamp()
            from unnest(?::bytea[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::text[], ?::bigint[], ?::int[],
                    ?::bytea[], ?::int[], ?::bigint[])
                as asked (id, tenant, operation, key, fingerprint, holder, lease, remote, memo, state, lock)
            where pg_try_advisory_xact_lock_shared(lock)
            on conflict (id) do nothing
            returning id, {columns}, outcome
        )
        select true as fresh, statement_timestamp() as now, id, {columns}, outcome from fresh
        union all
        select false as fresh, statement_timestamp() as now, kept.*
        from {requested_ids} join (select id, {columns}, outcome from semel_key) as kept on kept.id = requested.id
        where requested.id not in (select id from fresh)
        """.replace("{columns}", COLUMNS).replace("{requested_ids}", REQUESTED_IDS);

    /**
     * Writes only over the very revision that was seen. No row for a key means that it has moved on. The rows are locked
     * in the order of their ids before any is written: an update by itself takes them in whatever order its plan has. The
     * conditions on what is asked are always true, and for the planner: see {@link #REQUESTED_IDS}. A row that another
     * transaction is writing is left out too: it may be a caller's own, and take long.
     */
    static final String REPLACE = """
        with asked as (
            select asked.*
            from unnest(?::bytea[], ?::bigint[], ?::bytea[], ?::bigint[], ?::int[], ?::int[], ?::bigint[], ?::text[],
                    ?::bigint[], ?::bigint[], ?::bigint[], ?::text[], ?::bigint[], ?::int[], ?::bytea[], ?::int[],
                    ?::bytea[], ?::bytea[])
                as asked (id, seen, fingerprint, token, attempt, state, since, holder,
                    lease, replay, forget, reason, probe, probes, outcome, remote,
                    memo, history)
            join semel_key as kept on kept.id = asked.id and kept.revision = asked.seen
            where asked.seen > 0 and asked.token > 0 and asked.attempt > 0
            order by asked.id
            for update of kept skip locked
        )
        update semel_key as kept set
            fingerprint = asked.fingerprint, token = asked.token, attempt = asked.attempt, revision = kept.revision + 1,
            state = asked.state,
            since = coalesce('epoch'::timestamptz + asked.since * interval '1 microsecond', statement_timestamp()),
            holder = asked.holder,
            lease_until = statement_timestamp() + asked.lease * interval '1 microsecond',
            replay_until = statement_timestamp() + asked.replay * interval '1 microsecond',
            forget_at = statement_timestamp() + asked.forget * interval '1 microsecond',
            reason = asked.reason,
            doubt_since = case when asked.state = 3 then coalesce(kept.doubt_since, statement_timestamp()) end,
            probe_at = statement_timestamp() + asked.probe * interval '1 microsecond',
            probes = asked.probes,
            outcome = asked.outcome,
            remote = asked.remote = 1,
            memo = asked.memo,
            history = asked.history
        from asked
        where kept.id = asked.id and kept.revision = asked.seen
        returning kept.id, statement_timestamp() as now
        """;

    /** In the caller's transaction: reserves the key, and tells what is recorded of it after that. */
    static final String JOIN = """
        select clock_timestamp() as now, transaction_timestamp() as began, joined.* from (values (1)) as one left join semel_join(?, ?, ?::int) as joined on true
        """;

    /** The state of the row that {@link #JOIN} gives when another transaction has the key. */
    static final int BUSY = -1;

    /**
     * In the caller's transaction, as long as it is the one that has {@link #JOIN joined} the key: its outcome, where nothing
     * is recorded of it, or over the revision that was seen. No row means that it has moved on, or the transaction has.
     */
    static final String RECORD = """
        insert into semel_key as kept (id, tenant, operation, key, fingerprint, token, revision, attempt, outcome, history,
            replay_until, forget_at, since, state)
        select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, statement_timestamp() + ? * interval '1 microsecond',
            statement_timestamp() + ? * interval '1 microsecond', statement_timestamp(), 2
        where transaction_timestamp() = 'epoch'::timestamptz + ? * interval '1 microsecond'
        on conflict (id) do update set
            fingerprint = excluded.fingerprint, token = excluded.token, revision = excluded.revision,
            attempt = excluded.attempt, outcome = excluded.outcome, history = excluded.history,
            replay_until = excluded.replay_until, forget_at = excluded.forget_at, since = excluded.since, state = 2,
            holder = null, lease_until = null, reason = null, doubt_since = null, probe_at = null, probes = null,
            remote = null, memo = null
        where kept.revision = ?
        returning statement_timestamp() as now
        """;

    /** Why {@link #RECORD_AND_COMMIT} did not commit. */
    static final String MOVED_ON = "another attempt has written the key";

    static final String NOT_THE_SAME = "the effect has ended its transaction";

    /** {@link #RECORD} and the commit, as one. Where there is nothing to record, the commit fails and says why. */
    static final String RECORD_AND_COMMIT =
            """
            with recorded as ({record}), refused as (
                insert into semel_rollback_only
                select case when transaction_timestamp() = 'epoch'::timestamptz + ? * interval '1 microsecond'
                    then '{moved_on}' else '{not_the_same}' end
                where not exists (select from recorded)
            )
            select now from recorded;
            commit
            """.replace("{record}", RECORD).replace("{moved_on}", MOVED_ON).replace("{not_the_same}", NOT_THE_SAME);

    /** Whether a transaction is still the one that began then. */
    static final String SAME_TRANSACTION =
            "select transaction_timestamp() = 'epoch'::timestamptz + ? * interval '1 microsecond'";

    /** Lets the commit of its transaction fail, and say why. */
    static final String FORBID_COMMIT = "insert into semel_rollback_only values (?)";

    /** The row as it stands, whatever it counts as by now. */
    static final String FIND = """
        select statement_timestamp() as now, {columns}, outcome from semel_key where id = ?
        """.replace("{columns}", COLUMNS);

    /** Many rows, all as they stood at one moment. */
    static final String FIND_ALL = """
        select statement_timestamp() as now, kept.*
        from {requested_ids} join (select id, {columns}, outcome from semel_key) as kept on kept.id = requested.id
        """.replace("{columns}", COLUMNS).replace("{requested_ids}", REQUESTED_IDS);

    /** The second condition says nothing new, but lets every plan use the index of tenants. */
    static final String COUNT = """
        select count(*) from (select from semel_key where tenant = ? and tenant <> '' limit ?) counted
        """;

    static final String NOW = "select statement_timestamp() as now";
}
