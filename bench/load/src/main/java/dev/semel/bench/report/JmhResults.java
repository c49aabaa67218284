package dev.semel.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What JMH has written with {@code -rf json}, as facts: the time of each benchmark, and what it allocates if known. */
public final class JmhResults {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private JmhResults() {}

    public static List<Fact> read(Path file) throws IOException {
        if (!(Json.parse(file) instanceof List<?> results)) throw new IOException("No results of JMH in " + file);
        List<Fact> facts = new ArrayList<>();
        for (Object result : results) {
            Members members = new Members((Map<?, ?>) result);
            String name = members.text("benchmark").replaceFirst(".*\\.", "");
            Members time = members.object("primaryMetric");
            facts.add(new Fact(name, time.number("score"), time.text("scoreUnit")));
            members.object("secondaryMetrics").json().forEach((metric, score) -> {
                if (metric.toString().endsWith(ALLOCATED))
                    facts.add(new Fact(name + ", allocated", new Members((Map<?, ?>) score).number("score"), "B/op"));
            });
        }
        return facts;
    }
}
