package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Seen;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements that only read, for tables with {@link MicrosRows}. */
final class MicrosSql {
    static final String COLUMNS = "tenant, operation, client_key, fingerprint, token, attempt, revision, state, since,"
            + " holder, lease_until, replay_until, forget_at, reason, probe_at, probes, remote, memo, history, outcome";

    private static final MicrosRows ROWS = MicrosRows.INSTANCE;

    /** Each key as it counts now: the same judgement as {@code KeyRecord.asOf}. */
    private static final String LIST = """
        select id, tenant, operation, client_key, token, attempt, since, kind
        from (
            select id, tenant, operation, client_key, token, attempt, since, doubt_since,
                case when state = 2 and replay_until <= {now} then 4
                    when state = 5 then 1
                    else state end as kind
            from semel_key
            where (forget_at is null or forget_at > {now}) and id > ?
        ) as counted
        where kind in ({kinds}) {more}
        order by id
        limit ?
        """;

    private final StatementExecutor statements;
    private final StatementExecutor background;
    private final String now;
    private final String find;

    /** @param now the database's clock, in microseconds since 1970, as an expression that stands still within a statement */
    MicrosSql(StatementExecutor statements, String now) {
        this.statements = statements;
        this.background = statements.forBackgroundWork();
        this.now = now;
        this.find = "select " + now + " as now, " + COLUMNS + " from semel_key where id ";
    }

    Optional<Seen> find(KeyId id) {
        return statements.read(
                find + "= ?",
                parameters -> parameters.bytes(id.digest()),
                rows -> rows.next() ? Optional.of(ROWS.seen(rows)) : Optional.empty());
    }

    List<Seen> findAll(Collection<KeyId> ids) {
        return statements.read(
                find + "in " + marks(ids.size()),
                parameters -> {
                    for (KeyId id : ids) parameters.bytes(id.digest());
                },
                rows -> {
                    List<Seen> found = new ArrayList<>(ids.size());
                    while (rows.next()) found.add(ROWS.seen(rows));
                    return found;
                });
    }

    /** So many question marks in brackets. */
    static String marks(int count) {
        return "(" + String.join(", ", Collections.nCopies(count, "?")) + ")";
    }

    long count(String tenant, long upTo) {
        return statements.read(
                "select count(*) from (select 1 as one from semel_key where tenant = ? limit ?) as counted",
                parameters -> parameters.utf8(tenant).number(upTo),
                row -> {
                    row.next();
                    return row.getLong(1);
                });
    }

    Instant now() {
        return statements.read("select " + now + " as now", parameters -> {}, row -> {
            row.next();
            return ROWS.instant(row, "now");
        });
    }

    /** @param line null when the row cannot be read: it is left out, and the sweep names it */
    private record Row(byte[] id, Listing.@Nullable Line line) {}

    /** Keys page by page, in the order of their digests. A cursor is the digest of the last key on a page. */
    Listing.Page list(Listing asked) {
        List<Row> rows = oneMoreThanAPage(asked);
        boolean last = rows.size() <= asked.limit();
        List<Row> page = last ? rows : rows.subList(0, asked.limit());
        List<Listing.Line> lines =
                page.stream().map(Row::line).filter(Objects::nonNull).toList();
        return new Listing.Page(
                lines, last ? null : HexFormat.of().formatHex(page.getLast().id()));
    }

    private List<Row> oneMoreThanAPage(Listing asked) {
        String kinds = asked.kinds().stream()
                .map(kind -> Integer.toString(StateNumber.of(kind)))
                .collect(Collectors.joining(", "));
        String more = (asked.kinds().equals(Set.of(Kind.IN_DOUBT)) ? " and doubt_since is not null" : "")
                + (asked.tenant() == null ? "" : " and tenant = ?");
        String sql = LIST.replace("{now}", now)
                .replace("{kinds}", kinds.isEmpty() ? "-1" : kinds)
                .replace("{more}", more);
        return background.read(sql, parameters -> fill(parameters, asked), rows -> {
            List<Row> read = new ArrayList<>();
            while (rows.next()) read.add(new Row(rows.getBytes("id"), ROWS.line(rows)));
            return read;
        });
    }

    private static void fill(Parameters parameters, Listing asked) throws SQLException {
        parameters.bytes(HexFormat.of().parseHex(asked.after() == null ? "" : asked.after()));
        if (asked.tenant() != null) parameters.utf8(asked.tenant());
        parameters.number(asked.limit() + 1L);
    }
}
