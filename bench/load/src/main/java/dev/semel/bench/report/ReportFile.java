package dev.semel.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reports in a folder, one JSON file each, named after the benchmark: a later run replaces an earlier one. */
public final class ReportFile {
    private ReportFile() {}

    /** Saves the report, and returns the file. Makes the folder if there is none. */
    public static Path save(Report report, Path folder) throws IOException {
        Path file = Files.createDirectories(folder).resolve(report.name() + ".json");
        ObjectNode json = Json.MAPPER.valueToTree(report);
        JsonNode ratios = json.get("ratios");
        for (int i = 0; i < ratios.size(); i++) {
            // For other readers of the file. Here the rounds tell it again.
            Spread spread = report.ratios().get(i).in(report.series());
            ((ObjectNode) ratios.get(i)).setAll(Json.MAPPER.<ObjectNode>valueToTree(spread));
        }
        Json.MAPPER.writeValue(file.toFile(), json);
        return file;
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
            return Json.MAPPER.readValue(file.toFile(), Report.class);
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is not the report of a benchmark: " + e.getOriginalMessage(), e);
        }
    }
}
