package dev.semel.store.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.StoreException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A record as it was found, by the offsets of {@link RecordCodec}. */
final class StoredRecord {
    private final long revision;
    private final Instant written;
    private final KeyId id;
    private final int state;
    private final int attempt;
    private final long token;
    private final Fingerprint fingerprint;
    private final long first;
    private final long second;
    private final String text;
    private final Memo memo;
    private final History history;
    private final byte @Nullable [] inside;
    private final Instant since;
    private final byte[] bytes;
    private final int stateAt;
    private final int outcomeAt;

    private StoredRecord(byte[] bytes) {
        this.bytes = bytes;
        boolean withSince = (bytes[0] & RecordCodec.WITH_SINCE) != 0;
        int end = withSince ? bytes.length - Long.BYTES : bytes.length;
        RecordCursor in = new RecordCursor(bytes, RecordCodec.HEAD, end);
        this.revision = RecordCursor.int64(bytes, RecordCodec.REVISION);
        this.written = RecordCodec.instant(RecordCursor.int64(bytes, RecordCodec.WRITTEN));
        this.id = KeyId.ofStored(in.text(), in.text(), in.text());
        this.stateAt = in.at();
        this.state = in.int8();
        this.attempt = Math.toIntExact(in.number());
        this.token = revision - in.number();
        this.fingerprint = Fingerprint.ofBytes(in.bytes());
        this.first = in.number();
        this.second = in.number();
        this.text = has(RecordCodec.WIDE_TEXT) ? chars(in.bytes()) : new String(in.bytes(), UTF_8);
        this.memo = Memo.ofStored(in.bytes());
        this.history = History.ofBytes(in.bytes());
        this.outcomeAt = in.at();
        this.inside = has(RecordCodec.OUTCOME_INSIDE) ? in.bytes() : null;
        this.since = withSince ? RecordCodec.instant(RecordCursor.int64(bytes, end)) : written;
    }

    private static String chars(byte[] bytes) {
        return ByteBuffer.wrap(bytes).asCharBuffer().toString();
    }

    /** @throws StoreException when these bytes are of no format that is known here: nothing may be built on them */
    static StoredRecord of(byte[] bytes) {
        if (bytes.length == 0 || (bytes[0] & 0x7f) != RecordCodec.VERSION)
            throw StoreException.notApplied(
                    "A record has format version " + (bytes.length == 0 ? "none" : bytes[0] & 0x7f)
                            + "; this program knows version " + RecordCodec.VERSION + " and does not guess.",
                    null);
        try {
            StoredRecord record = new StoredRecord(bytes);
            record.check();
            return record;
        } catch (IndexOutOfBoundsException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw StoreException.notApplied("A record is damaged: " + e.getMessage(), e);
        }
    }

    /** Whatever could not be shown later is noticed now. */
    private void check() {
        requireNonNull(record(null));
    }

    KeyId id() {
        return id;
    }

    long revision() {
        return revision;
    }

    boolean isInDoubt() {
        return kind() == RecordCodec.IN_DOUBT;
    }

    /** Whether it holds an outcome that is no longer to be given. */
    boolean isToBeStripped(Instant now) {
        return inside != null && !now.isBefore(at(first));
    }

    /** The bytes without the outcome. */
    byte[] stripped() {
        byte[] since = (bytes[0] & RecordCodec.WITH_SINCE) != 0
                ? Arrays.copyOfRange(bytes, bytes.length - Long.BYTES, bytes.length)
                : new byte[0];
        byte[] left = Arrays.copyOf(bytes, outcomeAt + since.length);
        System.arraycopy(since, 0, left, outcomeAt, since.length);
        left[stateAt] = (byte) (state & ~RecordCodec.OUTCOME_INSIDE);
        return left;
    }

    /**
     * Whether it should have an outcome, and has not: it was looked at while its slot was being moved, or its outcome is
     * lost.
     */
    boolean lacksOutcome(byte @Nullable [] apart, Instant now) {
        return kind() == RecordCodec.DONE && now.isBefore(at(first)) && outcome(apart) == null;
    }

    /**
     * The record itself. A finished one whose outcome is no longer there is spent.
     *
     * @param apart what stands under the name of its outcome, whatever it is; null when nothing does
     */
    KeyRecord record(byte @Nullable [] apart) {
        return new KeyRecord(
                id, fingerprint, token, attempt, revision, since, has(RecordCodec.REMOTE), memo, history, state(apart));
    }

    /** The record for those whom its outcome does not concern: it has an empty one. */
    KeyRecord withoutOutcome() {
        return record(ByteBuffer.allocate(Long.BYTES).putLong(revision).array());
    }

    private KeyState state(byte @Nullable [] apart) {
        return switch (kind()) {
            case RecordCodec.FREE -> new KeyState.Free(at(first));
            case RecordCodec.HELD -> new KeyState.Held(text, at(first), guarantee());
            case RecordCodec.IN_DOUBT -> new KeyState.InDoubt(text, Math.toIntExact(second), at(first));
            case RecordCodec.DONE -> {
                byte[] outcome = outcome(apart);
                Instant forgetAt = at(Math.addExact(first, second));
                yield outcome == null
                        ? new KeyState.Spent(since, forgetAt)
                        : new KeyState.Done(Outcome.ofStored(outcome), at(first), forgetAt);
            }
            default -> throw new IllegalArgumentException("no state has the code " + kind());
        };
    }

    private Guarantee guarantee() {
        return has(RecordCodec.RUNS_AGAIN) ? Guarantee.AT_LEAST_ONCE : Guarantee.AT_MOST_ONCE;
    }

    /** An outcome that another write has left is not this record's. */
    private byte @Nullable [] outcome(byte @Nullable [] apart) {
        if (inside != null) return inside;
        if (apart == null || apart.length < Long.BYTES || RecordCursor.int64(apart, 0) != revision) return null;
        return Arrays.copyOfRange(apart, Long.BYTES, apart.length);
    }

    private int kind() {
        return state & RecordCodec.STATE_BITS;
    }

    private boolean has(int flag) {
        return (state & flag) != 0;
    }

    private Instant at(long microsLater) {
        return written.plus(microsLater, ChronoUnit.MICROS);
    }
}
