package dev.semel.torture.report;

import static dev.semel.torture.report.Formats.count;
import static dev.semel.torture.report.Formats.counted;
import static dev.semel.torture.report.Formats.escaped;

import dev.semel.torture.check.CheckResult;
import dev.semel.torture.history.Event;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The report as one page that needs nothing else. */
final class Page {
    private final RunFacts facts;
    private final Counts counts;
    private final CheckResult result;

    Page(RunFacts facts, Counts counts, CheckResult result) {
        this.facts = facts;
        this.counts = counts;
        this.result = result;
    }

    String html(String timeline) {
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>%s</title>
            <style>
            %s</style>
            </head>
            <body><main>
            %s%s
            <h2>The run</h2>
            <div class="card">%s</div>
            %s
            <h2>Laws</h2>
            <div class="card">%s</div>
            <div class="two"><div><h2>Answers</h2><div class="card">%s</div></div>
            <div><h2>Faults</h2><div class="card">%s</div></div></div>
            <h2>How it was made</h2>
            <div class="card"><dl>%s</dl></div>
            </main></body></html>
            """.formatted(
                        "Torture, seed " + facts.seed(),
                        resource("page.css"),
                        headline(),
                        tiles(),
                        timeline,
                        ViolationSection.html(result),
                        laws(),
                        answers(),
                        faults(),
                        facts());
    }

    static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream(name)) {
            if (in == null) throw new IllegalStateException("Not in the jar: " + name);
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String headline() {
        int broken = result.count();
        String title;
        if (broken > 0) title = counted(broken, "violation");
        else if (counts.operations == 0) title = "Nothing was sent";
        else if (result.lossCount() > 0) title = "No violation, and keys lost at a fail-over";
        else title = "No violation";
        return """
            <div class="verdict%s"><h1>%s</h1>
            <p>%s on %s against <code>%s</code>, with %s. Seed <code>%d</code>.</p></div>
            """.formatted(
                        broken > 0 || counts.operations == 0 ? " bad" : "",
                        title,
                        counted(counts.operations, "operation"),
                        counted(result.keys(), "key"),
                        escaped(facts.store()),
                        counted(counts.faults.size(), "fault"),
                        facts.seed());
    }

    private String tiles() {
        double seconds = Math.max(1, facts.took().toMillis()) / 1e3;
        return "<div class=\"tiles\">"
                + tile(count(counts.operations), "operations")
                + tile(String.format(Locale.ROOT, "%,.0f/s", counts.operations / seconds), "throughput")
                + tile(count(result.keys()), "keys")
                + tile(count(counts.accepted), "effects")
                + tile(count(counts.absorbed()), "duplicates absorbed")
                + tile(count(counts.faults.size()), "faults")
                + tile(Formats.duration(facts.took()), "duration")
                + "</div>\n";
    }

    private static String tile(String number, String words) {
        return "<div class=\"tile\"><b>" + number + "</b><span>" + words + "</span></div>";
    }

    private String laws() {
        boolean losses = result.lossCount() > 0;
        StringBuilder rows = new StringBuilder("<table><tr><th></th><th>law</th><th class=\"n\">keys checked</th>"
                + "<th class=\"n\">broken</th>" + (losses ? "<th class=\"n\">lost</th>" : "") + "</tr>\n");
        for (CheckResult.LawTally it : result.laws()) {
            boolean broken = it.broken() > 0;
            boolean silent = !broken && it.keys() == 0;
            rows.append(
                    "<tr" + (broken ? " class=\"broken\"" : silent ? " class=\"silent\"" : "") + "><td class=\"mark\">"
                            + (broken ? "\u2717" : silent ? "\u2013" : "\u2713") + "</td><td>" + escaped(it.law())
                            + "</td><td class=\"n\">" + count(it.keys()) + "</td><td class=\"n\">" + count(it.broken())
                            + "</td>" + (losses ? "<td class=\"n\">" + count(it.lost()) + "</td>" : "") + "</tr>\n");
        }
        return rows.append("</table>").toString();
    }

    private String answers() {
        StringBuilder rows = new StringBuilder("<table><tr><th>kind</th><th class=\"n\">calls</th></tr>\n");
        counts.kinds.forEach((kind, number) -> {
            if (number > 0)
                rows.append(row(
                        "<span class=\"swatch\" style=\"background:var(--" + kind.id() + ")\"></span>" + kind.words,
                        number));
        });
        if (counts.open > 0) rows.append(row("still under way at the end", counts.open));
        rows.append("</table><table><tr><th>answer</th><th class=\"n\">calls</th></tr>\n");
        counts.answers.forEach((name, number) -> rows.append(row(escaped(name), number)));
        counts.unanswered.forEach((how, number) -> rows.append(row("none: " + escaped(how), number)));
        if (counts.refused > 0) rows.append(row("effects refused by their fencing token", counts.refused));
        return rows.append("</table>").toString();
    }

    private static String row(String words, long number) {
        return "<tr><td>" + words + "</td><td class=\"n\">" + count(number) + "</td></tr>\n";
    }

    private String faults() {
        if (counts.faults.isEmpty()) return "<p class=\"quiet\">Nothing was broken in this run.</p>";
        Map<String, long[]> kinds = new TreeMap<>();
        for (Event.Fault it : counts.faults) {
            long[] sums = kinds.computeIfAbsent(it.kind(), any -> new long[2]);
            sums[0]++;
            sums[1] += counts.until(it) - it.at();
        }
        StringBuilder rows = new StringBuilder(
                "<table><tr><th>kind</th><th class=\"n\">times</th><th class=\"n\">together</th></tr>\n");
        kinds.forEach((kind, sums) -> rows.append("<tr><td>" + escaped(kind) + "</td><td class=\"n\">" + count(sums[0])
                + "</td><td class=\"n\">" + Formats.duration(Duration.ofNanos(sums[1])) + "</td></tr>\n"));
        return rows.append("</table>").toString();
    }

    private String facts() {
        StringBuilder out = new StringBuilder();
        fact(out, "Run it again", "<code>" + escaped(facts.command()) + "</code>");
        fact(out, "Seed", "<code>" + facts.seed() + "</code>");
        fact(out, "Store", "<code>" + escaped(facts.store()) + "</code>");
        fact(out, "Began", facts.began().truncatedTo(ChronoUnit.SECONDS).toString());
        facts.settings().forEach((name, value) -> fact(out, escaped(name), escaped(value)));
        facts.versions().forEach((name, value) -> fact(out, escaped(name), escaped(value)));
        return out.toString();
    }

    private static void fact(StringBuilder out, String name, String html) {
        out.append("<dt>" + name + "</dt><dd>" + html + "</dd>\n");
    }
}
