package dev.semel.store.jdbc;

import dev.semel.core.key.History;
import dev.semel.core.key.KeyState.Kind;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Change;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A state to enter, spread over the columns of the table. What a state does not have is null. */
record StateColumns(
        Kind kind,
        @Nullable Instant since,
        @Nullable String holder,
        @Nullable Duration lease,
        @Nullable Duration replay,
        @Nullable Duration forget,
        @Nullable String reason,
        @Nullable Duration probe,
        @Nullable Integer probes,
        @Nullable Outcome outcome,
        Memo memo,
        History history) {

    static StateColumns of(Change change) {
        Instant since = change.since();
        Memo memo = change.memo();
        History history = change.history();
        return switch (change.next()) {
            case Next.Held it ->
                new StateColumns(
                        Kind.HELD, since, it.holder(), it.lease(), null, null, null, null, null, null, memo, history);
            case Next.Done it -> {
                Duration forget = it.retention().plus(it.tombstone());
                yield new StateColumns(
                        Kind.DONE,
                        null,
                        null,
                        null,
                        it.retention(),
                        forget,
                        null,
                        null,
                        null,
                        it.outcome(),
                        memo,
                        history);
            }
            case Next.Free it ->
                new StateColumns(Kind.FREE, null, null, null, null, it.keep(), null, null, null, null, memo, history);
            case Next.InDoubt it -> {
                String reason = storable(it.reason());
                yield new StateColumns(
                        Kind.IN_DOUBT,
                        since,
                        null,
                        null,
                        null,
                        null,
                        reason,
                        it.probeIn(),
                        it.probes(),
                        null,
                        memo,
                        history);
            }
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
                .instant(since)
                .text(holder)
                .duration(lease)
                .duration(replay)
                .duration(forget)
                .text(reason)
                .flag(kind == Kind.IN_DOUBT)
                .duration(probe)
                .numberOrNull(probes)
                .bytes(outcome == null ? null : outcome.bytes())
                .bytes(KeyRows.orNull(memo.bytes()))
                .bytes(KeyRows.orNull(history.bytes()));
    }
}
