package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
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

/** First claims on their way to the table, as many at a time as have gathered. */
final class Inserts {
    private record Wish(NewKey key) implements Coalescer.Wish {
        @Override
        public KeyId id() {
            return key.id();
        }

        @Override
        public long bytes() {
            return key.memo().encoded().length;
        }
    }

    /** What one of them is told; a record that cannot be read is the trouble of the one who asked for it. */
    private sealed interface Answer {
        record Known(Inserted inserted) implements Answer {}

        record Unreadable(StoreException why) implements Answer {}
    }

    private final RoundTrips database;
    private final Coalescer<Wish, Optional<Answer>> together;

    Inserts(RoundTrips database, int lanes, Duration patience) {
        this.database = database;
        this.together = new Coalescer<>(this::make, lanes, patience);
    }

    void onTrip(IntConsumer writes) {
        together.onTrip(writes);
    }

    /** Empty when another's insert was met that is not to be seen yet. */
    Optional<Inserted> ask(NewKey key) {
        Optional<Answer> answer = together.ask(new Wish(key.withLease(Micros.roundedUp(key.lease()))));
        return answer.map(it -> inserted(it, key));
    }

    private static Inserted inserted(Answer answer, NewKey key) {
        switch (answer) {
            case Answer.Unreadable(StoreException why) ->
                throw StoreException.notApplied(String.valueOf(why.getMessage()), why);
            case Answer.Known(Inserted inserted) -> {
                if (inserted instanceof Inserted.Existing it) KeyRows.check(it.seen(), key.id());
                return inserted;
            }
        }
    }

    private List<Optional<Answer>> make(List<Wish> wishes) {
        List<NewKey> keys = wishes.stream().map(Wish::key).toList();
        Map<ByteBuffer, Answer> rows =
                database.write(PostgresSql.INSERT, parameters -> fill(parameters, keys), it -> read(it, keys));
        return keys.stream()
                .map(key -> Optional.ofNullable(rows.get(digest(key))))
                .toList();
    }

    private static ByteBuffer digest(NewKey key) {
        return ByteBuffer.wrap(key.id().digest());
    }

    private static void fill(Parameters parameters, List<NewKey> keys) throws SQLException {
        parameters
                .bytes(keys, key -> key.id().digest())
                .texts(keys, key -> key.id().tenant())
                .texts(keys, key -> key.id().operation())
                .texts(keys, key -> key.id().key())
                .bytes(keys, key -> key.fingerprint().bytes())
                .texts(keys, NewKey::holder)
                .numbers(keys, key -> Micros.of(key.lease()))
                .integers(keys, key -> key.remote() ? 1 : null)
                .bytes(keys, key -> KeyRows.orNull(key.memo().encoded()))
                .integers(keys, key -> StateNumber.held(key.guarantee()))
                .bytes(keys, key -> key.id().digest());
    }

    /** What was written is known here but for the time, and not read again. */
    private static Map<ByteBuffer, Answer> read(ResultSet rows, List<NewKey> keys) throws SQLException {
        Map<ByteBuffer, NewKey> asked = new HashMap<>();
        for (NewKey key : keys) asked.put(digest(key), key);
        Map<ByteBuffer, Answer> found = new HashMap<>();
        Instant now = null;
        while (rows.next()) {
            if (now == null) now = KeyRows.instant(rows, "now");
            ByteBuffer id = ByteBuffer.wrap(rows.getBytes("id"));
            NewKey key = asked.get(id);
            if (key == null) throw new IllegalStateException("A row came back that was not asked for.");
            found.put(
                    id,
                    rows.getBoolean("fresh") ? new Answer.Known(new Inserted.Fresh(key.at(now))) : existing(rows, now));
        }
        return found;
    }

    private static Answer existing(ResultSet row, Instant now) throws SQLException {
        try {
            return new Answer.Known(new Inserted.Existing(new Seen(KeyRows.record(row), now)));
        } catch (StoreException e) {
            return new Answer.Unreadable(e);
        }
    }
}
