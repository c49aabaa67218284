package dev.semel.store.jdbc;

/**
 * What is said to PostgreSQL on the path of a request. Each is one statement and one transaction of its own, and
 * writes one row at most, so that none can wait in a circle with another. Every time comes from {@code statement_timestamp()}: it
 * stands still within a statement, and there is no other clock.
 */
final class PostgresSql {
    private PostgresSql() {}

    /** All that makes a record, but for the outcome, which may be large and is not always asked for. */
    private static final String COLUMNS = "tenant, operation, key, fingerprint, token, attempt, revision, state, since,"
            + " holder, lease_until, replay_until, forget_at, reason, probe_at, probes, memo, history";

    /**
     * Of any number of concurrent inserts of a key one writes; the others get its row. No row at all means that the
     * other insert was committed after this statement had begun: it was met, but is not to be seen in the statement's
     * snapshot. The first token and revision are {@code NewKey.firstToken} of the database's clock.
     */
    static final String INSERT = """
        with fresh as (
            insert into semel_key (id, tenant, operation, key, fingerprint, holder, lease_until, memo,
                token, revision, attempt, state, since)
            values (?, ?, ?, ?, ?, ?, statement_timestamp() + ? * interval '1 microsecond', ?,
                extract(epoch from statement_timestamp()) * 1000000,
                extract(epoch from statement_timestamp()) * 1000000,
                1, 1, statement_timestamp())
            on conflict (id) do nothing
            returning {columns}, outcome
        )
        select true as fresh, statement_timestamp() as now, {columns}, outcome from fresh
        union all
        select false as fresh, statement_timestamp() as now, {columns}, outcome from semel_key
        where id = ? and not exists (select from fresh)
        """.replace("{columns}", COLUMNS);

    /** Writes only over the very revision that was seen. No row means that it has moved on. */
    static final String REPLACE = """
        update semel_key set
            fingerprint = ?, token = ?, attempt = ?, revision = revision + 1,
            state = ?,
            since = coalesce(?, statement_timestamp()),
            holder = ?,
            lease_until = statement_timestamp() + ? * interval '1 microsecond',
            replay_until = statement_timestamp() + ? * interval '1 microsecond',
            forget_at = statement_timestamp() + ? * interval '1 microsecond',
            reason = ?,
            doubt_since = case when ? then coalesce(doubt_since, statement_timestamp()) end,
            probe_at = statement_timestamp() + ? * interval '1 microsecond',
            probes = ?,
            outcome = ?,
            memo = ?,
            history = ?
        where id = ? and revision = ?
        returning {columns}
        """.replace("{columns}", COLUMNS);

    /** The row as it stands, whatever it counts as by now. */
    static final String FIND = """
        select statement_timestamp() as now, {columns}, outcome from semel_key where id = ?
        """.replace("{columns}", COLUMNS);

    /** Many rows, all as they stood at one moment. */
    static final String FIND_ALL = """
        select statement_timestamp() as now, {columns}, outcome from semel_key where id = any (?)
        """.replace("{columns}", COLUMNS);

    /** The second condition says nothing new, but lets every plan use the index of tenants. */
    static final String COUNT = """
        select count(*) from (select from semel_key where tenant = ? and tenant <> '' limit ?) counted
        """;

    static final String NOW = "select statement_timestamp() as now";
}
