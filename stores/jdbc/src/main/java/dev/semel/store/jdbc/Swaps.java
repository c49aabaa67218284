package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Changes on their way to the table, as many at a time as have gathered. */
final class Swaps {
    private record Wish(KeyRecord seen, Change change, StateColumns next) implements Coalescer.Wish {
        @Override
        public KeyId id() {
            return seen.id();
        }

        @Override
        public long bytes() {
            return next.outcome() == null ? 0 : next.outcome().encoded().length;
        }
    }

    private final RoundTrips database;
    private final Coalescer<Wish, Optional<KeyRecord>> together;

    Swaps(RoundTrips database, int lanes, Duration patience) {
        this.database = database;
        this.together = new Coalescer<>(this::make, lanes, patience);
    }

    void onTrip(IntConsumer writes) {
        together.onTrip(writes);
    }

    /** Empty when the record had moved on. */
    Optional<KeyRecord> ask(KeyRecord seen, Change change) {
        Change kept = StateColumns.asKept(change);
        return together.ask(new Wish(seen, kept, StateColumns.of(kept)));
    }

    private List<Optional<KeyRecord>> make(List<Wish> wishes) {
        Map<ByteBuffer, Instant> swapped =
                database.write(PostgresSql.REPLACE, parameters -> fill(parameters, wishes), Swaps::read);
        return wishes.stream()
                .map(wish -> Optional.ofNullable(
                                swapped.get(ByteBuffer.wrap(wish.id().digest())))
                        .map(now -> wish.change.after(wish.seen, now)))
                .toList();
    }

    private static void fill(Parameters parameters, List<Wish> wishes) throws SQLException {
        parameters
                .bytes(wishes, wish -> wish.id().digest())
                .numbers(wishes, wish -> wish.seen.revision())
                .bytes(wishes, wish -> wish.change.fingerprint().bytes())
                .numbers(wishes, wish -> wish.change.token())
                .integers(wishes, wish -> wish.change.attempt());
        StateColumns.fill(parameters, wishes.stream().map(Wish::next).toList());
    }

    private static Map<ByteBuffer, Instant> read(ResultSet rows) throws SQLException {
        Map<ByteBuffer, Instant> swapped = new HashMap<>();
        Instant now = null;
        while (rows.next()) {
            if (now == null) now = KeyRows.instant(rows, "now");
            swapped.put(ByteBuffer.wrap(rows.getBytes("id")), now);
        }
        return swapped;
    }
}
