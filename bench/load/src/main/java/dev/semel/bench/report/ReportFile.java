package dev.semel.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reports in a folder, one JSON file each, named after the benchmark: a later run replaces an earlier one. */
public final class ReportFile {
    private ReportFile() {}

    /** Saves the report, and returns the file. Makes the folder if there is none. */
    public static Path save(Report report, Path folder) throws IOException {
        Path file = Files.createDirectories(folder).resolve(report.name() + ".json");
        Json.write(file, json(report));
        return file;
    }

    private static Map<String, ?> json(Report report) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", report.name());
        json.put("title", report.title());
        json.put("command", report.command());
        json.put("at", report.at());
        Machine machine = report.machine();
        json.put(
                "machine",
                Map.of(
                        "processors", machine.processors(),
                        "load", machine.load(),
                        "jdk", machine.jdk(),
                        "system", machine.system()));
        json.put("behind", report.behind());
        json.put("series", list(report.series(), ReportFile::json));
        json.put("ratios", list(report.ratios(), ratio -> json(ratio, report)));
        json.put(
                "facts",
                list(report.facts(), fact -> Map.of("name", fact.name(), "value", fact.value(), "unit", fact.unit())));
        json.put("notes", report.notes());
        return json;
    }

    private static Map<String, ?> json(Series series) {
        Map<String, Object> json = new LinkedHashMap<>(json(series.line()));
        json.put("rounds", list(series.samples(), ReportFile::json));
        return json;
    }

    private static Map<String, ?> json(Line line) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("subject", line.subject());
        json.put("work", line.work());
        json.put("callers", line.callers());
        return json;
    }

    private static Map<String, ?> json(Sample sample) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("perSecond", sample.perSecond());
        json.put("p50Millis", sample.p50Millis());
        json.put("p99Millis", sample.p99Millis());
        json.put("cpuMicros", sample.cpuMicros());
        json.put("behindMicros", sample.behindMicros());
        json.put("errors", sample.errors());
        json.put("firstError", sample.firstError());
        return json;
    }

    /** The figures are there for other readers; here they are computed again from the rounds. */
    private static Map<String, ?> json(Ratio ratio, Report report) {
        Spread spread = ratio.in(report.series());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", ratio.name());
        json.put("of", json(ratio.of()));
        json.put("to", json(ratio.to()));
        json.put("figure", ratio.figure().name());
        json.put("target", ratio.target());
        json.put("median", spread.median());
        json.put("min", spread.min());
        json.put("max", spread.max());
        return json;
    }

    private static <T> List<Object> list(List<T> values, Function<T, ?> json) {
        List<Object> list = new ArrayList<>();
        for (T value : values) list.add(Objects.requireNonNull(json.apply(value)));
        return list;
    }

    /** All reports that were saved in this folder, by name. */
    public static List<Report> readAll(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(folder)) {
            files = found.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        List<Report> reports = new ArrayList<>();
        for (Path file : files) reports.add(read(file));
        return reports;
    }

    public static Report read(Path file) throws IOException {
        try {
            return report(new Members(Json.read(file)));
        } catch (ClassCastException | IllegalArgumentException | NullPointerException e) {
            throw new IOException(file + " is not the report of a benchmark: " + e.getMessage(), e);
        }
    }

    private static Report report(Members json) {
        Members machine = json.object("machine");
        return new Report(
                json.text("name"),
                json.text("title"),
                json.text("command"),
                Instant.parse(json.text("at")),
                new Machine(
                        (int) machine.number("processors"),
                        machine.number("load"),
                        machine.text("jdk"),
                        machine.text("system")),
                json.text("behind"),
                json.list("series", series -> new Series(line(series), series.list("rounds", ReportFile::sample))),
                json.list("ratios", ReportFile::ratio),
                json.list("facts", fact -> new Fact(fact.text("name"), fact.number("value"), fact.text("unit"))),
                json.texts("notes"));
    }

    private static Line line(Members json) {
        return new Line(json.text("subject"), json.text("work"), (int) json.number("callers"));
    }

    private static Sample sample(Members json) {
        return new Sample(
                json.number("perSecond"),
                json.number("p50Millis"),
                json.number("p99Millis"),
                json.number("cpuMicros"),
                json.number("behindMicros"),
                (long) json.number("errors"),
                json.text("firstError"));
    }

    private static Ratio ratio(Members json) {
        return new Ratio(
                json.text("name"),
                line(json.object("of")),
                line(json.object("to")),
                Ratio.Figure.valueOf(json.text("figure")),
                json.number("target"));
    }
}
