package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import dev.semel.core.store.StoreException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Walks over all keys, in the order of their tokens, page by page. The place is the digest of the last key seen. */
final class KeyPages {
    /** What a read gives up for: too many tombstones between the rows. A shorter page meets fewer. */
    private static final int SHORTER = 8;

    private final Requests requests;
    private final KeyStatements statements;

    KeyPages(Requests requests, KeyStatements statements) {
        this.requests = requests;
        this.statements = statements;
    }

    /** @param last whether there is nothing after it */
    record Page(List<KeyRows.Line> lines, boolean last) {}

    /** @param after the digest of the last key before this page; null for the first */
    Page after(byte @Nullable [] after, int limit) {
        // One more, for the key that the page before ended with comes again.
        for (int asked = limit + 1; ; asked = Math.max(2, asked / SHORTER)) {
            try {
                return page(after, asked);
            } catch (StoreException e) {
                if (!(e.getCause() instanceof ReadFailureException) || asked == 2) throw e;
            }
        }
    }

    private Page page(byte @Nullable [] after, int asked) {
        List<KeyRows.Line> lines = new ArrayList<>();
        int rows = 0;
        for (Row row : requests.read(statements.page(after, asked))) {
            rows++;
            // What is left of a record that is gone: an outcome that a change has cut off, and that expires by itself.
            if (row.isNull("revision")) continue;
            KeyRows.Line line = KeyRows.line(row);
            if (after == null || !Arrays.equals(after, line.digest())) lines.add(line);
        }
        return new Page(lines, rows < asked);
    }
}
