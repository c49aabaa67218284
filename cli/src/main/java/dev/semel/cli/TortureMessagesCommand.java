package dev.semel.cli;

import dev.semel.examples.demo.CtrlC;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "messages",
        description =
                "Kills writers' relays, consumers, the broker and the database, and checks that no message is lost,"
                        + " repeated or out of order.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Exit code 0: no law was broken. 1: one was.", "More: docs/torture-messages.md"})
final class TortureMessagesCommand implements Callable<Integer> {
    private static final String MODULE = "torture/messages";
    private static final String MAIN = "dev.semel.torture.messages.MessagesTorture";

    @Option(names = "--messages", paramLabel = "N", description = "how many are committed (default: 200000)")
    private long messages = 200_000;

    @Option(names = "--minutes", paramLabel = "N", description = "for how long is written at most (default: 30)")
    private double minutes = 30;

    @Option(names = "--seed", paramLabel = "N", description = "the same luck again (default: fresh, and printed)")
    private @Nullable Long seed;

    @Option(names = "--store", paramLabel = "STORE", description = "postgresql, started for the run (the default)")
    private String store = "postgresql";

    @Option(names = "--broker", paramLabel = "BROKER", description = "kafka, started for the run (the default)")
    private String broker = "kafka";

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "where logs and findings are written (default: a new folder in torture-report)")
    private @Nullable Path report;

    @Override
    public Integer call() throws IOException {
        if (messages < 1 || minutes <= 0) throw new UsageProblem("There is nothing to do.");
        if (!store.equals("postgresql")) throw new UsageProblem("--store is postgresql, not '" + store + "'.");
        if (!broker.equals("kafka")) throw new UsageProblem("--broker is kafka, not '" + broker + "'.");
        if (report != null && Files.exists(report.resolve("report.txt")))
            throw new UsageProblem("There is a report in " + report + " already.");
        Process process = new ProcessBuilder(command()).inheritIO().start();
        try {
            return CtrlC.<Integer, InterruptedException>interrupts(process::waitFor);
        } catch (InterruptedException e) {
            System.err.println("semel: ended before its time; nothing was checked");
            return 1;
        } finally {
            process.destroy();
        }
    }

    private List<String> command() throws IOException {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-cp",
                SourceTree.classPath(MODULE),
                MAIN,
                Long.toString(messages),
                Long.toString((long) Math.ceil(minutes * 60)),
                Long.toString(seed == null ? ThreadLocalRandom.current().nextLong() : seed),
                store,
                broker,
                (report == null ? newFolder() : report).toString());
    }

    private static Path newFolder() {
        long pid = ProcessHandle.current().pid();
        return Path.of("torture-report", "messages-" + System.currentTimeMillis() / 1000 + "-" + pid);
    }
}
