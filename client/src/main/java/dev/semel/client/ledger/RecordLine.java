package dev.semel.client.ledger;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One record of a {@link LedgerFile}: a sign that it begins, its checksum, its number, and up to which number all were on
 * disk when this was written; then what it says, in Base64, so that a line break always ends a record.
 */
record RecordLine(long number, long syncedBefore, byte[] payload) {
    private static final char BEGIN = '#';
    private static final int CHECKSUM = 9;

    byte[] format() {
        String rest =
                " " + number + " " + syncedBefore + " " + Base64.getEncoder().encodeToString(payload);
        byte[] bytes = rest.getBytes(StandardCharsets.US_ASCII);
        return (BEGIN + checksum(bytes, 0, bytes.length) + rest + "\n").getBytes(StandardCharsets.US_ASCII);
    }

    /** @return null for what is no whole record */
    static @Nullable RecordLine parse(byte[] line) {
        if (line.length <= CHECKSUM || line[line.length - 1] != '\n') return null;
        String checksum = new String(line, 0, CHECKSUM, StandardCharsets.US_ASCII);
        if (!checksum.equals(BEGIN + checksum(line, CHECKSUM, line.length - CHECKSUM - 1))) return null;
        String[] words =
                new String(line, CHECKSUM + 1, line.length - CHECKSUM - 2, StandardCharsets.US_ASCII).split(" ", -1);
        return new RecordLine(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Base64.getDecoder().decode(words[2]));
    }

    /** The last record in a line that is none as a whole, for the line break before it may be damaged. */
    static @Nullable RecordLine last(byte[] line) {
        for (int from = line.length - 1; from > 0; from--)
            if (line[from] == BEGIN) return parse(Arrays.copyOfRange(line, from, line.length));
        return null;
    }

    private static String checksum(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return String.format("%08x", crc.getValue());
    }
}
