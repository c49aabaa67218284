package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The list of metrics in the documentation: a line of a table for each, with name, type, labels and meaning. */
record MetricsDocument(Map<String, Entry> entries) {
    private static final Path FILE = Path.of(System.getProperty("semel.root", ".."), "docs", "metrics.md");
    private static final Pattern LINE = Pattern.compile(
            "^\\| `([a-z0-9_]+)` \\| (counter|gauge|histogram) \\| ([^|]*) \\| ([^|]+) \\|$", Pattern.MULTILINE);
    private static final Pattern LABEL = Pattern.compile("`([a-z_]+)`");

    record Entry(String type, Set<String> labels, String meaning) {}

    static MetricsDocument read() throws IOException {
        Map<String, Entry> entries = new TreeMap<>();
        Matcher line = LINE.matcher(Files.readString(FILE));
        while (line.find()) {
            Set<String> labels = new TreeSet<>();
            Matcher label = LABEL.matcher(line.group(3));
            while (label.find()) labels.add(label.group(1));
            Entry before = entries.put(
                    line.group(1),
                    new Entry(line.group(2), labels, line.group(4).strip()));
            assertTrue(before == null, "described twice: " + line.group(1));
        }
        return new MetricsDocument(entries);
    }

    /** All that is there is described, and all that is described is there. */
    void assertDescribes(Scrape scrape) {
        assertEquals(entries.keySet(), scrape.types().keySet(), "metrics in docs/metrics.md and in /metrics");
        entries.forEach((name, entry) -> {
            assertEquals(entry.type(), scrape.types().get(name), "the type of " + name);
            assertEquals(entry.labels(), scrape.labelsOf(name), "the labels of " + name);
            assertFalse(entry.meaning().isEmpty(), "the meaning of " + name);
            assertFalse(scrape.help().getOrDefault(name, "").isBlank(), "the help of " + name);
        });
    }
}
