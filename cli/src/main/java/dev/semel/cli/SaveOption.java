package dev.semel.cli;

import dev.semel.bench.report.Report;
import dev.semel.bench.report.ReportFile;
import dev.semel.bench.report.TerminalReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Where the figures of a benchmark go. */
final class SaveOption {
    @Option(
            names = "--save",
            paramLabel = "DIR",
            description = "also write the figures as JSON into this folder, for 'bench plot'")
    private @Nullable Path folder;

    /** Prints and saves what was found; 1 when there were errors, which make the figures worthless. */
    int show(Report found, CommandSpec command) throws IOException {
        Report report = found.withCommand(typed(command));
        TerminalReport.print(report, System.out);
        if (folder != null) System.err.println("saved " + ReportFile.save(report, folder));
        return report.errors() == 0 ? 0 : 1;
    }

    /** What to type for the same again; where the figures went does not belong to it. */
    static String typed(CommandSpec command) {
        StringBuilder line = new StringBuilder("./semel");
        Iterator<String> words =
                command.commandLine().getParseResult().originalArgs().iterator();
        while (words.hasNext()) {
            String word = words.next();
            if (word.equals("--save")) words.next();
            else if (!word.startsWith("--save=")) line.append(' ').append(word);
        }
        return line.toString();
    }
}
