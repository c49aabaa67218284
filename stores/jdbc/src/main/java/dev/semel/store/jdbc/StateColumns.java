package dev.semel.store.jdbc;

import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A state to enter, spread over the columns of the table. What a state does not have is null. */
record StateColumns(
        Kind kind,
        @Nullable Instant heldSince,
        @Nullable String holder,
        @Nullable Duration lease,
        @Nullable Duration replay,
        @Nullable Duration forget,
        @Nullable String reason,
        @Nullable Outcome outcome) {

    static StateColumns of(Next next) {
        return switch (next) {
            case Next.Held it ->
                new StateColumns(Kind.HELD, it.heldSince(), it.holder(), it.lease(), null, null, null, null);
            case Next.Done it ->
                new StateColumns(
                        Kind.DONE,
                        null,
                        null,
                        null,
                        it.retention(),
                        it.retention().plus(it.tombstone()),
                        null,
                        it.outcome());
            case Next.Free it -> new StateColumns(Kind.FREE, null, null, null, null, it.keep(), null, null);
            case Next.InDoubt it ->
                new StateColumns(Kind.IN_DOUBT, null, null, null, null, null, storable(it.reason()), null);
        };
    }

    /** A reason may quote anything that a peer sent. The database takes neither NUL nor half a character. */
    private static String storable(String text) {
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return whole.replace('\0', '\uFFFD');
    }

    /** In the order of {@link PostgresSql#REPLACE}. */
    void fill(Parameters parameters) throws SQLException {
        parameters
                .number(StateNumber.of(kind))
                .instant(heldSince)
                .text(holder)
                .duration(lease)
                .duration(replay)
                .duration(forget)
                .text(reason)
                .flag(kind == Kind.IN_DOUBT)
                .bytes(outcome == null ? null : outcome.bytes());
    }
}
