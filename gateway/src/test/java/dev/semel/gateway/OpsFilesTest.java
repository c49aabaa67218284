package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Alert rules and dashboard ask only for metrics, labels and values of labels that are documented. */
class OpsFilesTest {
    private static final Path OPS = Path.of(System.getProperty("semel.root", ".."), "ops");
    private static final Pattern METRIC =
            Pattern.compile("\\b((?:semel|jvm|process|system)_[a-z0-9_]+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(?:=|!=|=~|!~)\"([^\"]*)\"");
    private static final Pattern GROUPED = Pattern.compile("\\bby \\(([a-z_, ]+)\\)");

    /** Added by Prometheus itself, and to histograms. */
    private static final Set<String> ALWAYS = Set.of("job", "instance", "le");

    @Test
    void the_alert_rules_are_whole_and_know_their_metrics() throws Exception {
        Map<?, ?> file = (Map<?, ?>) new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(OPS.resolve("prometheus-alerts.yml")));
        List<String> names = new ArrayList<>();
        for (Object group : (List<?>) file.get("groups"))
            for (Object each : (List<?>) ((Map<?, ?>) group).get("rules")) {
                Map<?, ?> rule = (Map<?, ?>) each;
                names.add((String) rule.get("alert"));
                check((String) rule.get("expr"));
                Map<?, ?> annotations = (Map<?, ?>) rule.get("annotations");
                assertNotNull(annotations.get("summary"), rule.toString());
                assertNotNull(annotations.get("description"), rule.toString());
                assertNotNull(((Map<?, ?>) rule.get("labels")).get("severity"), rule.toString());
            }
        assertTrue(names.size() >= 10, names.toString());
        assertEquals(names.size(), new TreeSet<>(names).size(), names.toString());
    }

    @Test
    void the_dashboard_knows_its_metrics() throws Exception {
        JsonNode dashboard = new ObjectMapper()
                .readTree(OPS.resolve("grafana-dashboard.json").toFile());
        int expressions = 0;
        for (JsonNode target : dashboard.findParents("expr")) {
            check(target.get("expr").asText());
            expressions++;
        }
        assertTrue(expressions >= 20, expressions + " expressions");
        assertEquals(
                dashboard.get("panels").size(),
                dashboard.get("panels").findValues("gridPos").size());
    }

    private static void check(String expression) throws IOException {
        MetricsDocument document = MetricsDocument.read();
        Set<String> labels = new TreeSet<>(ALWAYS);
        Matcher metric = METRIC.matcher(expression);
        while (metric.find()) {
            String name = metric.group(1);
            MetricsDocument.Entry entry = document.entries().containsKey(name)
                    ? document.entries().get(name)
                    : document.entries().get(name.replaceFirst("_(bucket|count|sum)$", ""));
            assertNotNull(entry, name + " is not documented: " + expression);
            labels.addAll(entry.labels());
            Matcher matcher = MATCHER.matcher(metric.group(2) == null ? "" : metric.group(2));
            while (matcher.find())
                assertTrue(
                        entry.labels().contains(matcher.group(1)) || ALWAYS.contains(matcher.group(1)),
                        name + " has no label " + matcher.group(1) + ": " + expression);
        }
        Matcher grouped = GROUPED.matcher(expression);
        while (grouped.find())
            for (String label : grouped.group(1).split(", *"))
                assertTrue(labels.contains(label), "no label " + label + ": " + expression);
    }
}
