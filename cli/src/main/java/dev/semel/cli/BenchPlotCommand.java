package dev.semel.cli;

import dev.semel.bench.report.MarkdownReport;
import dev.semel.bench.report.RatioChart;
import dev.semel.bench.report.Report;
import dev.semel.bench.report.ReportFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "plot",
        description = "A chart (ratios.svg) and tables (tables.md) of what '--save DIR' has saved.",
        mixinStandardHelpOptions = true)
final class BenchPlotCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "the folder with the JSON files; the results go there too")
    private @Nullable Path folder;

    @Override
    public Integer call() throws IOException {
        if (folder == null || !Files.isDirectory(folder)) throw new UsageProblem("There is no folder " + folder + ".");
        List<Report> reports = ReportFile.readAll(folder);
        if (reports.isEmpty()) throw new UsageProblem("No benchmark has saved anything in " + folder + ".");
        StringBuilder tables = new StringBuilder();
        for (Report report : reports) tables.append(MarkdownReport.of(report));
        System.out.println(Files.writeString(folder.resolve("tables.md"), tables));
        System.out.println(Files.writeString(folder.resolve("ratios.svg"), RatioChart.of(reports)));
        return 0;
    }
}
