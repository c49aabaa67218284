package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyIndex.Swept;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Walks the table from its first page to its last, a few pages per step, and needs no index for it: an index on expiry
 * would have to be changed by every request. A row that someone else has locked is left to the next round. Where it
 * stands is kept in memory only; every process may walk by itself, they do not get in each other's way.
 */
final class PostgresSweep {
    /** Rows that make no record, as far as this can be told without reading them. They are left alone. */
    private static final String UNREADABLE = """
        (state not between 0 and 5 or octet_length(fingerprint) not between 2 and 65 or operation = '' or key = ''
            or state in (1, 5) and (lease_until is null or holder is null)
            or state = 2 and (outcome is null or replay_until is null or forget_at is null)
            or state in (0, 4) and forget_at is null)\
        """;

    /** What a step would find to do. Only reads: most steps of most walks end here. */
    static final String LOOK = """
        select
            pg_relation_size('semel_key') / current_setting('block_size')::bigint as pages,
            count(*) as looked,
            count(*) filter (where forget_at <= statement_timestamp()) as forgotten,
            count(*) filter (where replay_until <= statement_timestamp() and forget_at > statement_timestamp())
                as spent,
            count(*) filter (where coalesce(probe_at, doubt_since, lease_until) <= statement_timestamp()) as due,
            count(*) filter (where {unreadable}) as unreadable,
            count(*) filter (where state = 3) as in_doubt
        from semel_key
        where ctid >= ?::tid and ctid < ?::tid
        """.replace("{unreadable}", UNREADABLE);

    /** Read only where the look counted some. */
    static final String LIST_UNREADABLE = """
        select encode(id, 'hex') as digest from semel_key
        where ctid >= ?::tid and ctid < ?::tid and {unreadable}
        """.replace("{unreadable}", UNREADABLE);

    /** Deletes only what counts as absent, in the very version that was judged; what is locked is passed over. */
    static final String REMOVE = """
        with removed as (
            delete from semel_key where ctid = any (array(
                select ctid from semel_key
                where ctid >= ?::tid and ctid < ?::tid and forget_at <= statement_timestamp() and not {unreadable}
                for update skip locked))
            returning 1
        )
        select count(*) from removed
        """.replace("{unreadable}", UNREADABLE);

    /** Takes the outcome away only where nobody is given it any more. The revision stays: to callers nothing changed. */
    static final String STRIP = """
        with stripped as (
            update semel_key set state = 4, replay_until = null, outcome = null where ctid = any (array(
                select ctid from semel_key
                where ctid >= ?::tid and ctid < ?::tid
                    and replay_until <= statement_timestamp() and forget_at > statement_timestamp()
                    and not {unreadable}
                for update skip locked))
            returning 1
        )
        select count(*) from stripped
        """.replace("{unreadable}", UNREADABLE);

    /** Read only where the look counted some. */
    static final String DUE = """
        select tenant, operation, key from semel_key
        where ctid >= ?::tid and ctid < ?::tid and (coalesce(probe_at, doubt_since, lease_until) <= statement_timestamp())
        """;

    private static final long LAST_PAGE = 0xFFFF_FFFFL;

    private final StatementExecutor statements;
    private final ReentrantLock walking = new ReentrantLock();
    private long nextPage;
    private double rowsPerPage = 20;

    PostgresSweep(StatementExecutor statements) {
        this.statements = statements;
    }

    Swept step(int limit) {
        walking.lock();
        try {
            long pages = Math.max(1, (long) (limit / rowsPerPage));
            long end = Math.min(LAST_PAGE, nextPage + pages);
            Look look = look(nextPage, end);
            long removed = look.forgotten == 0 ? 0 : change(REMOVE, nextPage, end);
            long stripped = look.spent == 0 ? 0 : change(STRIP, nextPage, end);
            List<KeyId> due = look.due == 0 ? List.of() : due(nextPage, end);
            List<String> unreadable = look.unreadable == 0 ? List.of() : unreadable(nextPage, end);
            moveOn(look, end);
            return new Swept(look.looked, removed, stripped, nextPage == 0, due, unreadable, look.inDoubt);
        } finally {
            walking.unlock();
        }
    }

    private record Look(long pages, long looked, long forgotten, long spent, long due, long unreadable, long inDoubt) {}

    private Look look(long from, long to) {
        return statements.read(LOOK, range(from, to), row -> {
            row.next();
            return new Look(
                    row.getLong("pages"),
                    row.getLong("looked"),
                    row.getLong("forgotten"),
                    row.getLong("spent"),
                    row.getLong("due"),
                    row.getLong("unreadable"),
                    row.getLong("in_doubt"));
        });
    }

    private List<KeyId> due(long from, long to) {
        return statements.read(DUE, range(from, to), rows -> {
            List<KeyId> ids = new ArrayList<>();
            while (rows.next()) {
                KeyId id = PostgresRows.INSTANCE.idOrNull(rows);
                if (id != null) ids.add(id);
            }
            return ids;
        });
    }

    private List<String> unreadable(long from, long to) {
        return statements.read(LIST_UNREADABLE, range(from, to), rows -> {
            List<String> digests = new ArrayList<>();
            while (rows.next()) digests.add(rows.getString("digest"));
            return digests;
        });
    }

    private long change(String sql, long from, long to) {
        return statements.write(sql, range(from, to), row -> {
            row.next();
            return row.getLong(1);
        });
    }

    private static StatementExecutor.ParameterSetter range(long from, long to) {
        return parameters -> parameters.text("(" + from + ",0)").text("(" + to + ",0)");
    }

    /** The next step is as long as this one would have had to be. */
    private void moveOn(Look look, long end) {
        long walked = Math.min(end, look.pages) - nextPage;
        if (walked > 0) rowsPerPage = Math.max(1, (double) look.looked / walked);
        nextPage = end < look.pages ? end : 0;
    }
}
