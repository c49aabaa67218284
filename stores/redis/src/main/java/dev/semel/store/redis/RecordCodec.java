package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.Change;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a record. A script puts the head in front, for only the server knows the time; all that follows is made
 * here, and counts its times from the one in the head.
 *
 * <pre>
 *  0  format version     1   the highest bit: the last eight bytes are when the state began
 *  1  revision           8   what compare-and-set compares
 *  9  written            8   when, in microseconds; the state began then, unless the end says otherwise
 * 17  tenant, operation, key
 *     state              1   one of the codes below, and flags
 *     attempt, the revision less the token, fingerprint
 *     two numbers            free: keep; held: lease; done: retention, tombstone; in doubt: time to the next probe, probes
 *     holder or reason, memo, history
 *     outcome                only of done, and only if it does not stand under a name of its own
 *     since              8   if the highest bit of the version says so
 * </pre>
 *
 * Durations are in microseconds. An outcome that stands apart begins with the revision of the record it belongs to.
 */
final class RecordCodec {
    static final int VERSION = 1;
    static final int WITH_SINCE = 0x80;

    static final int REVISION = 1;
    static final int WRITTEN = 9;
    static final int HEAD = 17;

    static final int FREE = 0;
    static final int HELD = 1;
    static final int DONE = 2;
    static final int IN_DOUBT = 3;
    static final int STATE_BITS = 0x07;
    static final int RUNS_AGAIN = 0x08;
    static final int REMOTE = 0x10;
    /** The text is kept as chars of Java: a holder or a reason may be any string, and half a surrogate pair has no UTF-8. */
    static final int WIDE_TEXT = 0x20;

    static final int OUTCOME_INSIDE = 0x40;

    private RecordCodec() {}

    /** All of a first claim that comes after its head. Its token is its revision, and both are the time. */
    static byte[] body(NewKey key) {
        Next.Held held = new Next.Held(key.holder(), key.lease(), key.guarantee(), null);
        Change claim = new Change(key.fingerprint(), 0, 1, key.remote(), key.memo(), History.NONE, held);
        return body(key.id(), 0, claim, false);
    }

    /** All of a changed record that comes after its head. */
    static byte[] body(KeyId id, long revision, Change change, boolean outcomeInside) {
        RecordWriter out = new RecordWriter();
        out.text(id.tenant()).text(id.operation()).text(id.key());
        String text = textOf(change.next());
        boolean wide = !new String(text.getBytes(UTF_8), UTF_8).equals(text);
        boolean inside = outcomeInside && change.next() instanceof Next.Done;
        out.int8(state(change, wide, inside));
        out.number(change.attempt()).number(revision - change.token());
        out.bytes(change.fingerprint().bytes());
        times(out, change.next());
        out.bytes(wide ? chars(text) : text.getBytes(UTF_8));
        out.bytes(change.memo().encoded()).bytes(change.history().bytes());
        if (outcomeInside && change.next() instanceof Next.Done done)
            out.bytes(done.outcome().encoded());
        Instant since = change.since();
        return (since == null ? out : out.int64(micros(since))).toBytes();
    }

    private static String textOf(Next next) {
        return switch (next) {
            case Next.Held held -> held.holder();
            case Next.InDoubt doubt -> doubt.reason();
            case Next.Done done -> "";
            case Next.Free free -> "";
        };
    }

    private static int state(Change change, boolean wide, boolean outcomeInside) {
        int flags = (change.remote() ? REMOTE : 0) | (wide ? WIDE_TEXT : 0) | (outcomeInside ? OUTCOME_INSIDE : 0);
        return flags
                | switch (change.next()) {
                    case Next.Free free -> FREE;
                    case Next.Held held -> held.guarantee() == Guarantee.AT_LEAST_ONCE ? HELD | RUNS_AGAIN : HELD;
                    case Next.Done done -> DONE;
                    case Next.InDoubt doubt -> IN_DOUBT;
                };
    }

    private static void times(RecordWriter out, Next next) {
        switch (next) {
            case Next.Free free -> out.number(micros(free.keep())).number(0);
            case Next.Held held -> out.number(micros(held.lease())).number(0);
            case Next.Done done -> out.number(micros(done.retention())).number(micros(done.tombstone()));
            case Next.InDoubt doubt -> out.number(micros(doubt.probeIn())).number(doubt.probes());
        }
    }

    private static byte[] chars(String text) {
        ByteBuffer chars = ByteBuffer.allocate(2 * text.length());
        chars.asCharBuffer().put(text);
        return chars.array();
    }

    /** The first nine bytes of a record: its version and its revision. */
    static byte[] versionAndRevision(long revision, @Nullable Instant since) {
        int version = since == null ? VERSION : VERSION | WITH_SINCE;
        return ByteBuffer.allocate(WRITTEN)
                .put((byte) version)
                .putLong(revision)
                .array();
    }

    /** The whole record, as the script put it together at this time. */
    static byte[] whole(byte[] versionAndRevision, long written, byte[] body) {
        return ByteBuffer.allocate(HEAD + body.length)
                .put(versionAndRevision)
                .putLong(written)
                .put(body)
                .array();
    }

    /** How many bytes the id has, at the beginning of each body. */
    static int sizeOf(KeyId id) {
        return new RecordWriter()
                .text(id.tenant())
                .text(id.operation())
                .text(id.key())
                .size();
    }

    /** An outcome as it stands apart. */
    static byte[] apart(long revision, byte[] outcome) {
        return ByteBuffer.allocate(Long.BYTES + outcome.length)
                .putLong(revision)
                .put(outcome)
                .array();
    }

    /** Rounded up, so that nothing ends before its time. */
    static long micros(Duration duration) {
        return TimeUnit.MICROSECONDS.convert(duration.plusNanos(999));
    }

    static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
