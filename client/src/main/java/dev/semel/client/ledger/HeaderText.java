package dev.semel.client.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Headers as lines of text, as HTTP writes them: no name or value has a line break. */
final class HeaderText {
    private HeaderText() {}

    static String format(Map<String, List<String>> headers) {
        StringBuilder lines = new StringBuilder();
        headers.forEach((name, values) -> {
            for (String value : values)
                lines.append(name).append(": ").append(value).append('\n');
        });
        return lines.toString();
    }

    static Map<String, List<String>> parse(String lines) {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line : lines.split("\n", -1)) {
            int colon = line.indexOf(": ");
            if (colon > 0)
                headers.computeIfAbsent(line.substring(0, colon), it -> new ArrayList<>())
                        .add(line.substring(colon + 2));
        }
        return headers;
    }
}
