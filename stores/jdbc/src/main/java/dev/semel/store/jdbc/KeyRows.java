package dev.semel.store.jdbc;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.KeyStore.Inserted;
import dev.semel.core.store.Listing;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads records from rows. A record is built from the row alone: what it says is what the table holds. How a database keeps
 * times and text is all that differs.
 */
abstract class KeyRows {
    abstract @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException;

    abstract String text(ResultSet row, String column) throws SQLException;

    String keyColumn() {
        return "key";
    }

    final Seen seen(ResultSet row) throws SQLException {
        return new Seen(record(row), instant(row, "now"));
    }

    /** A row that stands under the digest of a key asked for, but is of another key, is not given away. */
    static Seen check(Seen seen, KeyId asked) {
        if (!asked.equals(seen.record().id())) throw otherKey();
        return seen;
    }

    static IllegalStateException otherKey() {
        return new IllegalStateException("Two keys have the same digest: a row is not of the key it stands for.");
    }

    /** @throws StoreException when the row makes no record: nothing may be built on it, least of all that it is free */
    final KeyRecord record(ResultSet row) throws SQLException {
        try {
            return read(row);
        } catch (RuntimeException e) {
            throw StoreException.notApplied("A record is damaged: " + e.getMessage(), e);
        }
    }

    /** What an insert met. */
    final Dialect.InsertResult existing(ResultSet row, Instant now) throws SQLException {
        try {
            return new Dialect.InsertResult.Known(new Inserted.Existing(new Seen(record(row), now)));
        } catch (StoreException e) {
            return new Dialect.InsertResult.Unreadable(e);
        }
    }

    private KeyRecord read(ResultSet row) throws SQLException {
        byte[] outcome = row.getBytes("outcome");
        return new KeyRecord(
                id(row),
                Fingerprint.ofBytes(row.getBytes("fingerprint")),
                row.getLong("token"),
                row.getInt("attempt"),
                row.getLong("revision"),
                instant(row, "since"),
                row.getBoolean("remote"),
                Memo.ofStored(orEmpty(row.getBytes("memo"))),
                History.ofBytes(orEmpty(row.getBytes("history"))),
                state(row, outcome == null ? null : Outcome.ofStored(outcome)));
    }

    private KeyState state(ResultSet row, @Nullable Outcome outcome) throws SQLException {
        return switch (StateNumber.kind(row.getInt("state"))) {
            case FREE -> new KeyState.Free(instant(row, "forget_at"));
            case HELD ->
                new KeyState.Held(
                        text(row, "holder"), instant(row, "lease_until"), StateNumber.guarantee(row.getInt("state")));
            case DONE ->
                new KeyState.Done(
                        Objects.requireNonNull(outcome, "a finished key has an outcome"),
                        instant(row, "replay_until"),
                        instant(row, "forget_at"));
            case IN_DOUBT -> inDoubt(row);
            case SPENT -> new KeyState.Spent(instant(row, "since"), instant(row, "forget_at"));
        };
    }

    /** Rows from before there were probes have neither their number nor a time for the next. */
    private KeyState.InDoubt inDoubt(ResultSet row) throws SQLException {
        Instant next = instantOrNull(row, "probe_at");
        return new KeyState.InDoubt(
                text(row, "reason"), row.getInt("probes"), next == null ? instant(row, "since") : next);
    }

    /** Nothing is kept as null, which takes no room in a row. */
    static byte @Nullable [] orNull(byte[] bytes) {
        return bytes.length == 0 ? null : bytes;
    }

    private static byte[] orEmpty(byte @Nullable [] bytes) {
        return bytes == null ? new byte[0] : bytes;
    }

    /** Null when the row cannot be read. */
    final Listing.@Nullable Line line(ResultSet row) throws SQLException {
        KeyId id = idOrNull(row);
        if (id == null) return null;
        return new Listing.Line(
                id,
                StateNumber.kind(row.getInt("kind")),
                row.getLong("token"),
                row.getInt("attempt"),
                instant(row, "since"));
    }

    private KeyId id(ResultSet row) throws SQLException {
        return KeyId.ofStored(text(row, "tenant"), text(row, "operation"), text(row, keyColumn()));
    }

    /** Null when the row names no key. */
    final @Nullable KeyId idOrNull(ResultSet row) throws SQLException {
        try {
            return id(row);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    final Instant instant(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNull(instantOrNull(row, column), column);
    }
}
