package dev.semel.store.rocksdb;

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
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a record. They stand under the digest of its key, all of them in clear; only an outcome of some size
 * stands apart, under a key of its own, so that no one who scans records or compares a revision reads a body.
 *
 * <pre>
 *  0  format version     1
 *  1  state              1   one of the codes below
 *  2  revision           8
 * 10  token              8
 * 18  attempt            4
 * 22  since             12   seconds, nanoseconds
 * 34  first instant     12   leaseUntil; or when time changes what the record counts as: replayUntil, forgetAt
 * 46  second instant    12   forgetAt of done, doneAt of spent; the seconds alone: how many probes of a doubt
 * 58  tenant, operation, key, fingerprint, holder or reason, memo, history          each with its length before it
 *     outcome                all the rest, unless it stands apart
 * </pre>
 *
 * Numbers are big-endian. {@link RecordHead} looks at single fields by these offsets. Version 1, which is still read,
 * has neither memo nor history, and in a doubt no instants.
 */
final class RecordCodec {
    static final byte VERSION = 2;
    private static final byte WITHOUT_HISTORY = 1;

    /** From this many bytes on an outcome stands apart; also the size from which on RocksDB uses blob files. */
    static final int SEPARATE_BODY_FROM = 4096;

    static final byte FREE = 1;
    static final byte HELD = 2;
    static final byte DONE = 3;
    static final byte IN_DOUBT = 4;
    static final byte SPENT = 5;
    static final byte DONE_WITH_SEPARATE_BODY = 6;
    static final byte HELD_TO_RUN_AGAIN = 7;
    static final byte HELD_REMOTELY = 8;
    static final byte HELD_REMOTELY_TO_RUN_AGAIN = 9;
    static final byte IN_DOUBT_OF_REMOTE = 10;

    private static final Instant NONE = Instant.EPOCH;
    private static final byte[] NOTHING = {};

    private RecordCodec() {}

    static byte[] encode(KeyRecord record) {
        return switch (record.state()) {
            case KeyState.Free it -> encode(record, FREE, it.forgetAt(), NONE, "", NOTHING);
            case KeyState.Held it ->
                encode(record, held(record, it.guarantee()), it.leaseUntil(), NONE, it.holder(), NOTHING);
            case KeyState.InDoubt it ->
                encode(
                        record,
                        record.remote() ? IN_DOUBT_OF_REMOTE : IN_DOUBT,
                        it.nextProbe(),
                        Instant.ofEpochSecond(it.probes()),
                        it.reason(),
                        NOTHING);
            case KeyState.Spent it -> encode(record, SPENT, it.forgetAt(), it.doneAt(), "", NOTHING);
            case KeyState.Done it
            when it.outcome().encoded().length >= SEPARATE_BODY_FROM ->
                encode(record, DONE_WITH_SEPARATE_BODY, it.replayUntil(), it.forgetAt(), "", NOTHING);
            case KeyState.Done it ->
                encode(
                        record,
                        DONE,
                        it.replayUntil(),
                        it.forgetAt(),
                        "",
                        it.outcome().encoded());
        };
    }

    private static byte held(KeyRecord record, Guarantee guarantee) {
        if (record.remote()) return guarantee == Guarantee.AT_LEAST_ONCE ? HELD_REMOTELY_TO_RUN_AGAIN : HELD_REMOTELY;
        return guarantee == Guarantee.AT_LEAST_ONCE ? HELD_TO_RUN_AGAIN : HELD;
    }

    private static byte[] encode(
            KeyRecord record, byte state, Instant first, Instant second, String text, byte[] outcome) {
        byte[] tenant = record.id().tenant().getBytes(UTF_8);
        byte[] operation = record.id().operation().getBytes(UTF_8);
        byte[] key = record.id().key().getBytes(UTF_8);
        byte[] fingerprint = record.fingerprint().bytes();
        byte[] words = text.getBytes(UTF_8);
        boolean wide = !new String(words, UTF_8).equals(text);
        if (wide) words = chars(text);
        byte[] memo = record.memo().encoded();
        byte[] history = record.history().bytes();
        int lengths = 2 + 2 + 2 + 1 + 4 + 2 + 2;
        int parts = tenant.length + operation.length + key.length + fingerprint.length + words.length;
        int extras = memo.length + history.length;
        ByteBuffer out = ByteBuffer.allocate(RecordHead.BYTES + lengths + parts + extras + outcome.length);
        out.put(VERSION).put(state).putLong(record.revision()).putLong(record.token());
        out.putInt(record.attempt());
        put(out, record.since());
        put(out, first);
        put(out, second);
        out.putShort((short) tenant.length).put(tenant);
        out.putShort((short) operation.length).put(operation);
        out.putShort((short) key.length).put(key);
        out.put((byte) fingerprint.length).put(fingerprint);
        out.putInt(wide ? -words.length : words.length).put(words);
        out.putShort((short) memo.length).put(memo);
        out.putShort((short) history.length).put(history);
        return out.put(outcome).array();
    }

    private static void put(ByteBuffer out, Instant instant) {
        out.putLong(instant.getEpochSecond()).putInt(instant.getNano());
    }

    /** A holder or a reason may be any Java string: half a surrogate pair has no UTF-8, so its chars are kept. */
    private static byte[] chars(String text) {
        ByteBuffer chars = ByteBuffer.allocate(2 * text.length());
        chars.asCharBuffer().put(text);
        return chars.array();
    }

    /** The key of an outcome that stands apart: beside its record, and named by the write that brought it. */
    static byte[] bodyKey(byte[] digest, byte[] head) {
        return ByteBuffer.allocate(digest.length + Long.BYTES)
                .put(digest)
                .putLong(RecordHead.revision(head))
                .array();
    }

    /**
     * Reads a record back.
     *
     * @param asked whose record it should be; null when whoever reads goes by the record
     * @param apart the outcome that stands apart; null when it does not, or is of no interest
     * @throws IllegalStateException when it is the record of another key with the same digest
     * @throws StoreException when these bytes are of no format that is known here
     */
    static KeyRecord decode(byte[] head, @Nullable KeyId asked, byte @Nullable [] apart) {
        if (!RecordHead.isKnown(head))
            throw StoreException.notApplied(
                    "A record has format version " + (head.length == 0 ? "none" : head[0] & 0xff)
                            + "; this program knows versions up to " + VERSION + " and does not guess.",
                    null);
        try {
            return decode(new RecordCursor(head), asked, apart);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | DateTimeException e) {
            throw StoreException.notApplied("A record is damaged: " + e.getMessage(), e);
        }
    }

    private static KeyRecord decode(RecordCursor in, @Nullable KeyId asked, byte @Nullable [] apart) {
        boolean extras = in.int8() != WITHOUT_HISTORY;
        byte state = (byte) in.int8();
        long revision = in.int64();
        long token = in.int64();
        int attempt = in.int32();
        Instant since = in.instant();
        Instant first = in.instant();
        Instant second = in.instant();
        KeyId id = id(in.utf8(in.int16()), in.utf8(in.int16()), in.utf8(in.int16()), asked);
        Fingerprint fingerprint = Fingerprint.ofBytes(in.bytes(in.int8()));
        int length = in.int32();
        String text = length < 0 ? in.chars(-length) : in.utf8(length);
        Memo memo = extras ? Memo.ofStored(in.bytes(in.int16())) : Memo.NONE;
        History history = extras ? History.ofBytes(in.bytes(in.int16())) : History.NONE;
        return new KeyRecord(
                id,
                fingerprint,
                token,
                attempt,
                revision,
                since,
                state == HELD_REMOTELY || state == HELD_REMOTELY_TO_RUN_AGAIN || state == IN_DOUBT_OF_REMOTE,
                memo,
                history,
                switch (state) {
                    case FREE -> new KeyState.Free(first);
                    case HELD, HELD_REMOTELY -> new KeyState.Held(text, first, Guarantee.AT_MOST_ONCE);
                    case HELD_TO_RUN_AGAIN, HELD_REMOTELY_TO_RUN_AGAIN ->
                        new KeyState.Held(text, first, Guarantee.AT_LEAST_ONCE);
                    case DONE -> new KeyState.Done(Outcome.ofStored(in.rest()), first, second);
                    case DONE_WITH_SEPARATE_BODY ->
                        new KeyState.Done(Outcome.ofStored(apart == null ? NOTHING : apart), first, second);
                    case IN_DOUBT, IN_DOUBT_OF_REMOTE ->
                        new KeyState.InDoubt(text, (int) second.getEpochSecond(), first);
                    case SPENT -> new KeyState.Spent(second, first);
                    default -> throw new IllegalArgumentException("no state has the code " + state);
                });
    }

    private static KeyId id(String tenant, String operation, String key, @Nullable KeyId asked) {
        if (asked == null) return KeyId.ofStored(tenant, operation, key);
        boolean same = asked.key().equals(key)
                && asked.operation().equals(operation)
                && asked.tenant().equals(tenant);
        if (same) return asked;
        throw new IllegalStateException("Two keys have the same digest: " + asked + " was asked for, and "
                + KeyId.ofStored(tenant, operation, key) + " is there.");
    }
}
