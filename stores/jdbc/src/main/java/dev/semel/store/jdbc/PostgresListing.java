package dev.semel.store.jdbc;

import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.store.Listing;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Keys page by page, in the order of their digests. A cursor is the digest of the last key on a page. */
final class PostgresListing {
    /** Each key as it counts now: the same judgement as {@code KeyRecord.asOf}. */
    static final String ANY = """
        select id, tenant, operation, key, token, attempt, since, kind
        from (
            select id, tenant, operation, key, token, attempt, since, doubt_since,
                case when state = 2 and replay_until <= statement_timestamp() then 4
                    when state = 5 then 1
                    else state end as kind
            from semel_key
            where forget_at is null or forget_at > statement_timestamp()
        ) as counted
        where kind = any (?) and id > ? and tenant = coalesce(?, tenant)
        order by id
        limit ?
        """;

    /** The same for keys in doubt alone. However many others there are, these have an index of their own. */
    static final String IN_DOUBT = ANY.replace("order by", "and doubt_since is not null\norder by");

    private final StatementExecutor statements;

    PostgresListing(StatementExecutor statements) {
        this.statements = statements;
    }

    Listing.Page page(Listing listing) {
        List<Row> rows = oneMoreThanAPage(listing);
        boolean last = rows.size() <= listing.limit();
        List<Row> page = last ? rows : rows.subList(0, listing.limit());
        List<Listing.Line> lines =
                page.stream().map(Row::line).filter(Objects::nonNull).toList();
        return new Listing.Page(
                lines, last ? null : HexFormat.of().formatHex(page.getLast().id()));
    }

    /** @param line null when the row cannot be read: it is left out, and the sweep names it */
    private record Row(byte[] id, Listing.@Nullable Line line) {}

    private List<Row> oneMoreThanAPage(Listing listing) {
        boolean doubtsOnly = listing.kinds().equals(Set.of(Kind.IN_DOUBT));
        Object[] kinds = listing.kinds().stream().map(StateNumber::of).toArray();
        byte[] after = HexFormat.of().parseHex(listing.after() == null ? "" : listing.after());
        return statements.read(
                doubtsOnly ? IN_DOUBT : ANY,
                parameters -> parameters
                        .array("int", kinds)
                        .bytes(after)
                        .text(listing.tenant())
                        .number(listing.limit() + 1),
                rows -> {
                    List<Row> read = new ArrayList<>();
                    while (rows.next()) read.add(new Row(rows.getBytes("id"), PostgresRows.INSTANCE.line(rows)));
                    return read;
                });
    }
}
