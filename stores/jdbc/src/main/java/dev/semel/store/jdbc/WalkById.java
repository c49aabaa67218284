package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyIndex.Swept;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Walks a table with {@link MicrosRows} in the order of its primary key, which is the order of its pages, a few rows per step.
 * Reads without outcomes, judges, and then writes what is still so. Where it stands is kept in memory only; every process may
 * walk by itself, they do not get in each other's way.
 */
final class WalkById {
    private static final MicrosRows ROWS = MicrosRows.INSTANCE;

    private static final String LOOK = """
        select id, tenant, operation, client_key, state, lease_until, replay_until, forget_at, doubt_since, probe_at,
            octet_length(fingerprint) as print, holder is null as no_holder, outcome is null as no_outcome, {now} as now
        from semel_key where id > ? order by id limit ?
        """;

    /** Judged again by the statement itself: what has moved on has another time, or none. */
    private static final String REMOVE = "delete from semel_key where forget_at <= {now} and id in ";

    /** Only where nobody is given the outcome any more. The revision stays: to callers nothing changed. */
    private static final String STRIP = "update semel_key set state = 4, replay_until = null, outcome = null"
            + " where state = 2 and replay_until <= {now} and id in ";

    private final StatementExecutor statements;
    private final String now;
    private final ReentrantLock walking = new ReentrantLock();
    private byte[] at = new byte[0];

    WalkById(StatementExecutor statements, String now) {
        this.statements = statements.forBackgroundWork();
        this.now = now;
    }

    /** What is to do about a row. */
    private enum Finding {
        NOTHING,
        FORGOTTEN,
        SPENT,
        DUE,
        UNREADABLE
    }

    private record Row(byte[] id, @Nullable KeyId key, Finding finding, boolean inDoubt) {}

    Swept step(int limit) {
        walking.lock();
        try {
            List<Row> rows = look(limit);
            long removed = change(REMOVE, rows, Finding.FORGOTTEN);
            long stripped = change(STRIP, rows, Finding.SPENT);
            boolean finished = rows.size() < limit;
            at = finished ? new byte[0] : rows.getLast().id();
            return new Swept(
                    rows.size(),
                    removed,
                    stripped,
                    finished,
                    of(rows, Finding.DUE).map(Row::key).toList(),
                    of(rows, Finding.UNREADABLE)
                            .map(row -> HexFormat.of().formatHex(row.id()))
                            .toList(),
                    rows.stream().filter(Row::inDoubt).count());
        } finally {
            walking.unlock();
        }
    }

    private List<Row> look(int limit) {
        return statements.read(
                LOOK.replace("{now}", now), parameters -> parameters.bytes(at).number(limit), rows -> {
                    List<Row> read = new ArrayList<>();
                    while (rows.next()) read.add(row(rows));
                    return read;
                });
    }

    private static Row row(ResultSet row) throws SQLException {
        KeyId key = ROWS.idOrNull(row);
        int state = row.getInt("state");
        Finding finding = key == null || isUnreadable(row, state) ? Finding.UNREADABLE : judge(row, state);
        return new Row(row.getBytes("id"), key, finding, state == 3);
    }

    /** Whether it makes no record, as far as this can be told without reading all of it. It is left alone. */
    private static boolean isUnreadable(ResultSet row, int state) throws SQLException {
        int print = row.getInt("print");
        if (print < 2 || print > 65) return true;
        return switch (state) {
            case 0, 4 -> isNull(row, "forget_at");
            case 1, 5 -> isNull(row, "lease_until") || row.getBoolean("no_holder");
            case 2 -> isNull(row, "replay_until") || isNull(row, "forget_at") || row.getBoolean("no_outcome");
            case 3 -> false;
            default -> true;
        };
    }

    private static boolean isNull(ResultSet row, String column) throws SQLException {
        return ROWS.instantOrNull(row, column) == null;
    }

    private static Finding judge(ResultSet row, int state) throws SQLException {
        Instant now = ROWS.instant(row, "now");
        if (isOver(row, "forget_at", now)) return Finding.FORGOTTEN;
        return switch (state) {
            case 1, 5 -> isOver(row, "lease_until", now) ? Finding.DUE : Finding.NOTHING;
            case 2 -> isOver(row, "replay_until", now) ? Finding.SPENT : Finding.NOTHING;
            case 3 ->
                isOver(row, isNull(row, "probe_at") ? "doubt_since" : "probe_at", now) ? Finding.DUE : Finding.NOTHING;
            default -> Finding.NOTHING;
        };
    }

    private static boolean isOver(ResultSet row, String column, Instant now) throws SQLException {
        Instant time = ROWS.instantOrNull(row, column);
        return time != null && !now.isBefore(time);
    }

    private static Stream<Row> of(List<Row> rows, Finding finding) {
        return rows.stream().filter(row -> row.finding() == finding);
    }

    private long change(String sql, List<Row> rows, Finding finding) {
        List<Row> found = of(rows, finding).toList();
        if (found.isEmpty()) return 0;
        return statements.update(sql.replace("{now}", now) + MicrosSql.marks(found.size()), parameters -> {
            for (Row row : found) parameters.bytes(row.id());
        });
    }
}
