package dev.semel.store.cassandra;

import dev.semel.core.store.Change;
import dev.semel.core.store.Next;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;

/** What of a change the bytes of a record can hold: times in whole microseconds, text that has a UTF-8 form. */
final class StoredForm {
    private StoredForm() {}

    static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Rounded up, so that nothing ends before its time. */
    static Duration roundedUp(Duration duration) {
        return Duration.of(TimeUnit.MICROSECONDS.convert(duration.plusNanos(999)), ChronoUnit.MICROS);
    }

    /** The change as a record will have it. */
    static Change of(Change change) {
        Next next = switch (change.next()) {
            case Next.Held it ->
                new Next.Held(storable(it.holder()), roundedUp(it.lease()), it.guarantee(), it.heldSince());
            case Next.Done it ->
                new Next.Done(it.outcome(), roundedUp(it.retention()), roundedUp(it.tombstone()), it.doneSince());
            case Next.Free it -> new Next.Free(roundedUp(it.keep()));
            case Next.InDoubt it ->
                new Next.InDoubt(storable(it.reason()), it.probes(), roundedUp(it.probeIn()), it.doubtSince());
        };
        return change.with(change.memo(), next);
    }

    /** A reason may quote anything that a peer sent, also half a character. */
    private static String storable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
