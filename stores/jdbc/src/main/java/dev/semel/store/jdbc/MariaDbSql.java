package dev.semel.store.jdbc;

import java.util.Collections;

/**
 * What is said to MariaDB and MySQL to write. Several statements go in one round trip, for none gives back what it met. They
 * share one time, which a variable of the session holds for as long.
 */
final class MariaDbSql {
    /** By UTC: local time goes back by an hour once a year. */
    static final String NOW = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))";

    private static final String BEGIN =
            "set @semel_now = " + NOW + "; set transaction isolation level read committed; ";

    private static final String ROW =
            "(?, ?, ?, ?, ?, ?, @semel_now + ?, ?, ?, ?, @semel_now, @semel_now, 1, @semel_now)";

    /** In the order of its parameters; a time that a state does not have stays null. */
    private static final String UPDATE = """
        update semel_key set
            fingerprint = ?, token = ?, attempt = ?, revision = revision + 1, state = ?,
            since = coalesce(?, @semel_now), holder = ?, lease_until = @semel_now + ?, replay_until = @semel_now + ?,
            forget_at = @semel_now + ?, reason = ?,
            doubt_since = case when ? = 3 then coalesce(doubt_since, @semel_now) end,
            probe_at = @semel_now + ?, probes = ?, outcome = ?, remote = ?, memo = ?, history = ?
        where id = ? and revision = ?;
        """;

    private MariaDbSql() {}

    /**
     * Inserts the rows that are not there, and gives all. Which are new tells their time: nobody else's is the very one of
     * these statements, with this holder. To write over a row what it has already takes its lock at once, where {@code insert
     * ignore} would share it first; so of many that meet at one key none waits in a circle. In one transaction, so that nobody
     * changes a row before it is read: a new one would pass for an older one then.
     */
    static String insert(int rows) {
        return BEGIN
                + "start transaction;"
                + " insert into semel_key (id, tenant, operation, client_key, fingerprint, holder, lease_until, remote,"
                + " memo, state, token, revision, attempt, since) values "
                + String.join(", ", Collections.nCopies(rows, ROW))
                + " on duplicate key update id = semel_key.id;"
                + " select @semel_now as now, id, " + MicrosSql.COLUMNS + " from semel_key where id in "
                + MicrosSql.marks(rows)
                + "; commit";
    }

    /** Writes only over the very revision that was seen; each update tells whether it did. */
    static String replace(int rows) {
        if (rows == 1) return BEGIN + UPDATE + "select @semel_now as now";
        return BEGIN + "start transaction; " + UPDATE.repeat(rows) + "commit; select @semel_now as now";
    }
}
