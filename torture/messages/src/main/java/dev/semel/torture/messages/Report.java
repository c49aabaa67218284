package dev.semel.torture.messages;

import dev.semel.torture.messages.check.Finding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What came of a run. */
final class Report {
    private final List<Finding> findings;
    private final Map<String, Long> facts = new LinkedHashMap<>();

    Report(List<Finding> findings) {
        this.findings = findings;
    }

    void fact(String name, long value) {
        facts.put(name, value);
    }

    long fact(String name) {
        return facts.getOrDefault(name, -1L);
    }

    boolean isClean() {
        return findings.stream().allMatch(it -> it.broken() == 0);
    }

    boolean breaks(String law) {
        return findings.stream().anyMatch(it -> it.law().equals(law) && it.broken() > 0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        facts.forEach((name, value) -> text.append("%-45s %,12d%n".formatted(name, value)));
        text.append('\n');
        for (Finding finding : findings) {
            text.append("%-60s %s%n"
                    .formatted(
                            finding.law(), finding.broken() == 0 ? "kept" : "BROKEN, " + finding.broken() + " times"));
            finding.examples().forEach(it -> text.append("    ").append(it).append('\n'));
        }
        return text.append(isClean() ? "\nNo violations.\n" : "\nThere are violations.\n")
                .toString();
    }
}
