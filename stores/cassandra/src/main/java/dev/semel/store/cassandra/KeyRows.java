package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.StoreException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Reads records from rows. */
final class KeyRows {
    /** What stands for an outcome that was left out: its being there is all that matters. */
    private static final ByteBuffer LEFT_OUT = ByteBuffer.allocate(0);

    private KeyRows() {}

    static boolean isApplied(Row answer) {
        return answer.getBoolean("[applied]");
    }

    /**
     * The record in an answer to a conditional write or to a look.
     *
     * @return null when there is none: such an answer has no columns, or nothing in them
     */
    static @Nullable KeyRecord record(@Nullable Row row, KeyId asked) {
        if (row == null || !row.getColumnDefinitions().contains("revision") || row.isNull("revision")) return null;
        KeyRecord record =
                RecordReader.read(row.getLong("revision"), row.getByteBuffer("record"), row.getByteBuffer("outcome"));
        if (!record.id().equals(asked))
            throw new IllegalStateException(
                    "Two keys have the same digest: " + asked + " was asked for, and " + record.id() + " is there.");
        return record;
    }

    /**
     * A row of a page of many.
     *
     * @param record null when it cannot be read
     * @param hasOutcome whether it still has one, which is left out of the record
     */
    record Line(byte[] digest, @Nullable KeyRecord record, boolean hasOutcome) {
        String hex() {
            return HexFormat.of().formatHex(digest);
        }
    }

    static Line line(Row row) {
        ByteBuffer id = row.getByteBuffer("id");
        byte[] digest = new byte[id == null ? 0 : id.remaining()];
        if (id != null) id.get(digest);
        boolean hasOutcome = !row.isNull("outcome_at");
        return new Line(digest, recordOf(row, digest, hasOutcome), hasOutcome);
    }

    private static @Nullable KeyRecord recordOf(Row row, byte[] digest, boolean hasOutcome) {
        try {
            KeyRecord record = RecordReader.read(
                    row.getLong("revision"), row.getByteBuffer("record"), hasOutcome ? LEFT_OUT : null);
            return Arrays.equals(record.id().digest(), digest) ? record : null;
        } catch (StoreException e) {
            return null;
        }
    }
}
