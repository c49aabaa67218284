package dev.semel.store.rocksdb;

import static dev.semel.store.rocksdb.RecordCodec.DONE;
import static dev.semel.store.rocksdb.RecordCodec.DONE_WITH_SEPARATE_BODY;
import static dev.semel.store.rocksdb.RecordCodec.FREE;
import static dev.semel.store.rocksdb.RecordCodec.HELD;
import static dev.semel.store.rocksdb.RecordCodec.HELD_REMOTELY;
import static dev.semel.store.rocksdb.RecordCodec.HELD_REMOTELY_TO_RUN_AGAIN;
import static dev.semel.store.rocksdb.RecordCodec.HELD_TO_RUN_AGAIN;
import static dev.semel.store.rocksdb.RecordCodec.IN_DOUBT;
import static dev.semel.store.rocksdb.RecordCodec.IN_DOUBT_OF_REMOTE;
import static dev.semel.store.rocksdb.RecordCodec.SPENT;
import static dev.semel.store.rocksdb.RecordCodec.VERSION;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.core.key.KeyState.Kind;
import java.time.Instant;
import java.util.Arrays;
import java.util.Set;

/**
 * Looks at single fields of a record, by the offsets of {@link RecordCodec}. Where it says <i>may</i>, bytes of an unknown
 * format are never ruled out: whoever then reads them in full is told what is wrong with them.
 */
final class RecordHead {
    /** How many bytes there are before the parts of variable length. */
    static final int BYTES = 58;

    private static final int STATE = 1;
    private static final int REVISION = 2;
    private static final int FIRST_INSTANT = 34;

    private RecordHead() {}

    static boolean isReadable(byte[] record) {
        return record.length > BYTES && isKnown(record);
    }

    static boolean isKnown(byte[] record) {
        return record.length > 0 && record[0] >= 1 && record[0] <= VERSION;
    }

    static boolean isHeld(byte[] record) {
        return isReadable(record)
                && switch (record[STATE]) {
                    case HELD, HELD_TO_RUN_AGAIN, HELD_REMOTELY, HELD_REMOTELY_TO_RUN_AGAIN -> true;
                    default -> false;
                };
    }

    /** Whether the outcome of this record stands under a key of its own. */
    static boolean hasSeparateBody(byte[] record) {
        return isReadable(record) && record[STATE] == DONE_WITH_SEPARATE_BODY;
    }

    static long revision(byte[] record) {
        return RecordCursor.int64(record, REVISION);
    }

    /** Whether the two are records of one key, and not of two keys with equal digests. */
    static boolean sameId(byte[] record, byte[] other) {
        int end = endOfId(record);
        return end == endOfId(other) && Arrays.equals(record, BYTES, end, other, BYTES, end);
    }

    /** Whether the tenant is whole; not in a record that is damaged. */
    static boolean hasTenant(byte[] record) {
        return record.length >= BYTES + Short.BYTES
                && record.length >= BYTES + Short.BYTES + RecordCursor.int16(record, BYTES);
    }

    static String tenant(byte[] record) {
        int length = RecordCursor.int16(record, BYTES);
        return new String(record, BYTES + Short.BYTES, length, UTF_8);
    }

    private static int endOfId(byte[] record) {
        int at = BYTES;
        for (int part = 0; part < 3; part++) at += Short.BYTES + RecordCursor.int16(record, at);
        return at;
    }

    /** Whether the passing of time may have changed what this record counts as. */
    static boolean mayHaveExpired(byte[] record, Instant now) {
        if (!isReadable(record)) return true;
        return switch (record[STATE]) {
            case HELD, HELD_TO_RUN_AGAIN, HELD_REMOTELY, HELD_REMOTELY_TO_RUN_AGAIN, IN_DOUBT, IN_DOUBT_OF_REMOTE ->
                false;
            default -> !now.isBefore(RecordCursor.instant(record, FIRST_INSTANT));
        };
    }

    static boolean isInDoubt(byte[] record) {
        return isReadable(record) && (record[STATE] == IN_DOUBT || record[STATE] == IN_DOUBT_OF_REMOTE);
    }

    /** Whether perhaps nobody works on this key any more; of one that is held, only its holder's name tells. */
    static boolean mayBeDue(byte[] record, Instant now) {
        if (!isReadable(record)) return false;
        boolean due = isInDoubt(record) && !now.isBefore(RecordCursor.instant(record, FIRST_INSTANT));
        return due || isHeld(record);
    }

    /** Whether this record may count as one of these, at whatever time. */
    static boolean mayCountAs(byte[] record, Set<Kind> kinds) {
        if (!isReadable(record)) return true;
        return switch (record[STATE]) {
            case FREE -> kinds.contains(Kind.FREE);
            case HELD, HELD_TO_RUN_AGAIN, HELD_REMOTELY, HELD_REMOTELY_TO_RUN_AGAIN -> kinds.contains(Kind.HELD);
            case DONE, DONE_WITH_SEPARATE_BODY -> kinds.contains(Kind.DONE) || kinds.contains(Kind.SPENT);
            case IN_DOUBT, IN_DOUBT_OF_REMOTE -> kinds.contains(Kind.IN_DOUBT);
            case SPENT -> kinds.contains(Kind.SPENT);
            default -> true;
        };
    }
}
