package dev.semel.messaging.tables;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.messaging.tables.MariaDbStatement.Json;
import dev.semel.messaging.tables.OutboxTables.OutboxRow;
import dev.semel.messaging.tables.OutboxTables.ParkedRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages that become dead letters, as MariaDB is told of them. */
final class MariaDbParking {
    /** In characters, each of which may have six hexadecimal digits. A broker's own words may be as long as they like. */
    private static final int LONGEST_ERROR = 5000;

    private static final int LONGEST_KIND = 80;

    private MariaDbParking() {}

    static Json named(List<ParkedRow> rows) {
        return new Json(rows.stream().map(MariaDbParking::named).collect(Collectors.joining(",", "[", "]")));
    }

    private static String named(ParkedRow row) {
        return "[" + row.row().shard() + "," + row.row().position() + "," + row.attempts() + ",\"" + hex(kind(row))
                + "\",\"" + hex(error(row)) + "\"]";
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(UTF_8));
    }

    static int bytes(ParkedRow row) {
        return 64 + 6 * (kind(row).length() + error(row).length());
    }

    static String kind(ParkedRow row) {
        return beginning(row.kind(), LONGEST_KIND);
    }

    static String error(ParkedRow row) {
        return beginning(row.error(), LONGEST_ERROR);
    }

    private static String beginning(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest) + "…";
    }

    /** A key with dead letters. */
    record ParkedKey(int shard, String topic, String key) {
        /** A key without letters is not parked any more. */
        void release(Connection transaction) throws SQLException {
            new MariaDbStatement(MariaDbOutboxSql.RELEASE_KEY, shard, topic, key, topic, key).update(transaction);
        }
    }

    static @Nullable ParkedKey parkedKey(OutboxRow row) {
        String key = row.message().key();
        return key == null ? null : new ParkedKey(row.shard(), row.message().topic(), key);
    }
}
