package dev.semel.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats values for a terminal. Control characters are replaced: text from others must not move the cursor. */
final class TerminalText {
    private TerminalText() {}

    static String text(@Nullable Object value) {
        return value == null ? "" : value.toString().replaceAll("\\p{Cntrl}", "?");
    }

    /** Relative and absolute: {@code 5m ago (2026-01-01 00:00:00Z)}. */
    static String time(@Nullable Object instant, Instant now) {
        try {
            Instant at = Instant.parse(text(instant));
            Duration ago = Duration.between(at, now);
            String distance = rough(ago.abs());
            String absolute = at.truncatedTo(ChronoUnit.SECONDS).toString().replace('T', ' ');
            return (ago.isNegative() ? "in " + distance : distance + " ago") + " (" + absolute + ")";
        } catch (DateTimeParseException e) {
            return text(instant);
        }
    }

    private static String rough(Duration distance) {
        long seconds = distance.toSeconds();
        if (seconds < 120) return seconds + "s";
        if (seconds < 2 * 3600) return seconds / 60 + "m";
        if (seconds < 2 * 86_400) return seconds / 3600 + "h";
        return seconds / 86_400 + "d";
    }

    /** The options that name the scope of a key. */
    static String scope(Map<?, ?> id) {
        String tenant = text(id.get("tenant"));
        return "--operation " + quoted(text(id.get("operation")))
                + (tenant.isEmpty() ? "" : " --tenant " + quoted(tenant));
    }

    /** For a shell. */
    static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:@=+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Columns under each other. */
    static List<String> aligned(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                int at = column;
                int width = rows.stream()
                        .mapToInt(each -> each.get(at).length())
                        .max()
                        .orElse(0);
                line.append(row.get(column))
                        .append(" ".repeat(width - row.get(column).length() + 2));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
