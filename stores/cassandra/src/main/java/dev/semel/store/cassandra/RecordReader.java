package dev.semel.store.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Memo;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.StoreException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads what {@link RecordCodec} has written, or somebody else. */
final class RecordReader {
    private final ByteBuffer in;

    private RecordReader(ByteBuffer bytes) {
        this.in = bytes.duplicate();
    }

    /**
     * Reads a record.
     *
     * @param outcome null when there is none, or none any more: a finished key is then spent
     * @throws StoreException when these bytes are of no format that is known here: nothing may be built on them, least of all
     *     that the key is free
     */
    static KeyRecord read(long revision, @Nullable ByteBuffer record, @Nullable ByteBuffer outcome) {
        if (record == null)
            throw StoreException.notApplied("A record is damaged: it has a revision and no more.", null);
        try {
            return new RecordReader(record).record(revision, outcome == null ? null : Outcome.ofStored(copy(outcome)));
        } catch (BufferUnderflowException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            throw StoreException.notApplied("A record is damaged: " + e.getMessage(), e);
        }
    }

    private static byte[] copy(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    private KeyRecord record(long revision, @Nullable Outcome outcome) {
        byte format = in.get();
        if (format != RecordCodec.FORMAT)
            throw StoreException.notApplied(
                    "A record has format version " + (format & 0xff) + "; this program knows version "
                            + RecordCodec.FORMAT + " and does not guess.",
                    null);
        byte code = in.get();
        byte flags = in.get();
        long token = in.getLong();
        int attempt = in.getInt();
        Instant since = instant();
        KeyId id = KeyId.ofStored(text(), text(), text());
        Fingerprint fingerprint = Fingerprint.ofBytes(bytes());
        Memo memo = Memo.ofStored(bytes());
        History history = History.ofBytes(bytes());
        KeyState state = state(code, flags, since, outcome);
        if (in.hasRemaining()) throw new IllegalArgumentException(in.remaining() + " bytes too many");
        boolean remote = (flags & RecordCodec.REMOTE) != 0;
        return new KeyRecord(id, fingerprint, token, attempt, revision, since, remote, memo, history, state);
    }

    private KeyState state(byte code, byte flags, Instant since, @Nullable Outcome outcome) {
        return switch (code) {
            case RecordCodec.FREE -> new KeyState.Free(instant());
            case RecordCodec.HELD -> {
                Instant leaseUntil = instant();
                boolean again = (flags & RecordCodec.MAY_RUN_AGAIN) != 0;
                yield new KeyState.Held(text(), leaseUntil, again ? Guarantee.AT_LEAST_ONCE : Guarantee.AT_MOST_ONCE);
            }
            case RecordCodec.DONE -> {
                Instant replayUntil = instant();
                Instant forgetAt = instant();
                yield outcome == null
                        ? new KeyState.Spent(since, forgetAt)
                        : new KeyState.Done(outcome, replayUntil, forgetAt);
            }
            case RecordCodec.IN_DOUBT -> {
                Instant nextProbe = instant();
                int probes = in.getInt();
                yield new KeyState.InDoubt(text(), probes, nextProbe);
            }
            default -> throw new IllegalArgumentException("no state has the code " + code);
        };
    }

    private Instant instant() {
        return StoredForm.instant(in.getLong());
    }

    private String text() {
        return new String(bytes(), UTF_8);
    }

    private byte[] bytes() {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) throw new IllegalArgumentException("a part ends early");
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
