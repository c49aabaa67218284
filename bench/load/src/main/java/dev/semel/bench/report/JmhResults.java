package dev.semel.bench.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What JMH has written with {@code -rf json}, as facts: the time of each benchmark, and what it allocates if known. */
public final class JmhResults {
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private JmhResults() {}

    public static Report report(Machine machine, Path file) throws IOException {
        return new Report(
                "micro",
                "The hot pure parts",
                "./semel bench micro",
                Instant.now(),
                machine,
                "",
                List.of(),
                List.of(),
                read(file),
                List.of("One thread; average time of one call."));
    }

    static List<Fact> read(Path file) throws IOException {
        List<Fact> facts = new ArrayList<>();
        for (JsonNode result : Json.MAPPER.readTree(file.toFile())) {
            String name = result.required("benchmark").asText().replaceFirst(".*\\.", "");
            JsonNode time = result.required("primaryMetric");
            facts.add(new Fact(name, score(time), time.required("scoreUnit").asText()));
            for (Map.Entry<String, JsonNode> metric :
                    result.path("secondaryMetrics").properties())
                if (metric.getKey().endsWith(ALLOCATED))
                    facts.add(new Fact(name + ", allocated", score(metric.getValue()), "B/op"));
        }
        return facts;
    }

    /** JMH writes "NaN" as text. */
    private static double score(JsonNode metric) {
        return metric.required("score").asDouble(Double.NaN);
    }
}
