package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a node says about how it is set up, as in its {@code cassandra.yaml}. Empty where the user may not read that. */
record ServerSettings(Map<String, String> values) {
    private static final List<String> WANTED =
            List.of("commitlog_sync", "max_mutation_size", "native_transport_max_message_size");

    private static final Pattern SIZE = Pattern.compile("(\\d{1,12})(B|KiB|MiB|GiB)?");

    static ServerSettings of(CqlSession session) {
        Map<String, String> values = new HashMap<>();
        try {
            SimpleStatement query =
                    SimpleStatement.newInstance("select name, value from system_views.settings where name in ('"
                            + String.join("', '", WANTED) + "')");
            for (Row row : session.execute(query)) {
                String value = row.getString("value");
                if (value != null) values.put(String.valueOf(row.getString("name")), value);
            }
        } catch (DriverException e) {
            return new ServerSettings(Map.of());
        }
        return new ServerSettings(Map.copyOf(values));
    }

    String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** A size in bytes, where the node says one. */
    OptionalLong bytes(String name) {
        Matcher size = SIZE.matcher(text(name));
        if (!size.matches()) return OptionalLong.empty();
        long number = Long.parseLong(size.group(1));
        String unit = size.group(2) == null ? "B" : size.group(2);
        return OptionalLong.of(
                switch (unit) {
                    case "KiB" -> number << 10;
                    case "MiB" -> number << 20;
                    case "GiB" -> number << 30;
                    default -> number;
                });
    }
}
