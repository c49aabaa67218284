package dev.semel.torture.report;

import dev.semel.torture.check.CheckResult;
import dev.semel.torture.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a run was, and what came of it: {@code index.html} for people, {@code timeline.svg} from it, {@code report.json} for programs.
 *
 * <p>{@code report.json} is one object:
 *
 * <ul>
 *   <li>{@code verdict}: {@code clean} or {@code broken}; {@code violationCount}: how many keys broke a law, each law counted;
 *       {@code lossCount}: the same of keys that the store has lost, as it warns that it may
 *   <li>{@code seed}, {@code command}, {@code store}, {@code began} (ISO 8601), {@code seconds}, {@code versions}, {@code settings}
 *   <li>{@code operations}: calls that were sent; {@code keys}; {@code effects} and {@code effectsRefused} at the service;
 *       {@code duplicatesAbsorbed}: calls that got an outcome by replay
 *   <li>{@code kinds}: how calls ended, in a few kinds; {@code answers}: the same by status and problem; {@code unanswered}: by what went wrong
 *   <li>{@code faults}: {@code at}, {@code until} (nanoseconds since the start of the run), {@code kind}, {@code target}
 *   <li>{@code laws}: {@code law} (its sentence), {@code keys} it says something of, {@code broken} by how many, {@code lost}: by how many more that the store has lost
 *   <li>{@code violations}, up to 100 for each law: {@code law}, {@code key}, {@code what}, {@code events} that show it, {@code history} of the
 *       key. An event has its kind as {@code event}, and the members of the records in {@link dev.semel.torture.history.Event}
 *   <li>{@code losses}: the same of what the store warns of
 * </ul>
 */
public final class Report {
    private Report() {}

    /** Makes the folder when there is none, and writes over a report that is there. */
    public static void write(Path folder, RunFacts facts, History history, CheckResult result) throws IOException {
        Files.createDirectories(folder);
        Counts counts = Counts.of(history, facts.took());
        String timeline = Timeline.svg(counts, result.violations());
        Files.writeString(folder.resolve("timeline.svg"), timeline);
        Files.writeString(folder.resolve("index.html"), new Page(facts, counts, result).html(timeline));
        ReportJson.write(folder.resolve("report.json"), facts, counts, result);
    }
}
