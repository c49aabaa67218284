package dev.semel.store.cassandra;

import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Listing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keys page by page, in the order of their tokens. Nothing but a walk finds them, so a page ends after a bounded one. */
final class KeyListing {
    private static final int ROWS_PER_READ = 1000;
    private static final int MOST_ROWS = 20_000;

    private final KeyPages pages;

    KeyListing(KeyPages pages) {
        this.pages = pages;
    }

    /** A page may be short, also empty, and yet not the last: {@code next} says whether it is. */
    Listing.Page page(Listing asked, Instant now) {
        List<Listing.Line> lines = new ArrayList<>();
        byte[] after = asked.after() == null ? null : HexFormat.of().parseHex(asked.after());
        for (int looked = 0; looked < MOST_ROWS; looked += ROWS_PER_READ) {
            KeyPages.Page page = pages.after(after, ROWS_PER_READ);
            for (KeyRows.Line row : page.lines()) {
                Listing.Line line = line(row, asked, now);
                if (line != null && lines.size() == asked.limit()) return new Listing.Page(lines, hex(after));
                after = row.digest();
                if (line != null) lines.add(line);
            }
            if (page.last() || page.lines().isEmpty()) return new Listing.Page(lines, null);
        }
        return new Listing.Page(lines, hex(after));
    }

    /** Null for what was not asked for, counts as absent, or cannot be read. */
    private static Listing.@Nullable Line line(KeyRows.Line row, Listing asked, Instant now) {
        KeyRecord record = row.record() == null ? null : row.record().asOf(now);
        if (record == null || !asked.kinds().contains(record.state().kind())) return null;
        if (asked.tenant() != null && !asked.tenant().equals(record.id().tenant())) return null;
        return new Listing.Line(record.id(), record.state().kind(), record.token(), record.attempt(), record.since());
    }

    private static @Nullable String hex(byte @Nullable [] digest) {
        return digest == null ? null : HexFormat.of().formatHex(digest);
    }
}
