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
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A state to enter, spread over the columns of the table. What a state does not have is null. */
record StateColumns(
        int state,
        @Nullable Instant since,
        @Nullable String holder,
        @Nullable Duration lease,
        @Nullable Duration replay,
        @Nullable Duration forget,
        @Nullable String reason,
        @Nullable Duration probe,
        @Nullable Integer probes,
        @Nullable Outcome outcome,
        boolean remote,
        Memo memo,
        History history) {

    static StateColumns of(Change change) {
        Instant since = change.since();
        boolean remote = change.remote();
        Memo memo = change.memo();
        History history = change.history();
        return switch (change.next()) {
            case Next.Held it ->
                new StateColumns(
                        StateNumber.held(it.guarantee()),
                        since,
                        it.holder(),
                        it.lease(),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        remote,
                        memo,
                        history);
            case Next.Done it -> {
                Duration forget = it.retention().plus(it.tombstone());
                yield new StateColumns(
                        StateNumber.of(Kind.DONE),
                        since,
                        null,
                        null,
                        it.retention(),
                        forget,
                        null,
                        null,
                        null,
                        it.outcome(),
                        remote,
                        memo,
                        history);
            }
            case Next.Free it ->
                new StateColumns(
                        StateNumber.of(Kind.FREE),
                        null,
                        null,
                        null,
                        null,
                        it.keep(),
                        null,
                        null,
                        null,
                        null,
                        remote,
                        memo,
                        history);
            case Next.InDoubt it ->
                new StateColumns(
                        StateNumber.of(Kind.IN_DOUBT),
                        since,
                        null,
                        null,
                        null,
                        null,
                        it.reason(),
                        it.probeIn(),
                        it.probes(),
                        null,
                        remote,
                        memo,
                        history);
        };
    }

    /** The change as the table will have it: times in whole microseconds, and only text that it takes. */
    static Change asStored(Change change) {
        Next next = switch (change.next()) {
            case Next.Held it ->
                new Next.Held(it.holder(), Micros.roundedUp(it.lease()), it.guarantee(), it.heldSince());
            case Next.Done it ->
                new Next.Done(
                        it.outcome(),
                        Micros.roundedUp(it.retention()),
                        Micros.roundedUp(it.tombstone()),
                        it.doneSince());
            case Next.Free it -> new Next.Free(Micros.roundedUp(it.keep()));
            case Next.InDoubt it ->
                new Next.InDoubt(storable(it.reason()), it.probes(), Micros.roundedUp(it.probeIn()), it.doubtSince());
        };
        return change.with(change.memo(), next);
    }

    /** A reason may quote anything that a peer sent. The database takes neither NUL nor half a character. */
    private static String storable(String text) {
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return whole.replace('\0', '\uFFFD');
    }

    /** In the order of {@link PostgresSql#REPLACE}, a column at a time. */
    static void fill(Parameters parameters, List<StateColumns> rows) throws SQLException {
        parameters
                .integers(rows, StateColumns::state)
                .numbers(rows, row -> Micros.orNull(row.since))
                .texts(rows, StateColumns::holder)
                .numbers(rows, row -> Micros.orNull(row.lease))
                .numbers(rows, row -> Micros.orNull(row.replay))
                .numbers(rows, row -> Micros.orNull(row.forget))
                .texts(rows, StateColumns::reason)
                .numbers(rows, row -> Micros.orNull(row.probe))
                .integers(rows, StateColumns::probes)
                .bytes(rows, row -> row.outcome == null ? null : row.outcome.encoded())
                .integers(rows, row -> row.remote ? 1 : null)
                .bytes(rows, row -> KeyRows.orNull(row.memo.encoded()))
                .bytes(rows, row -> KeyRows.orNull(row.history.bytes()));
    }
}
