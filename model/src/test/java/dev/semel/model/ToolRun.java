package dev.semel.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tlc2.TLC;

/** One run of a TLA+ tool, in a JVM of its own: the tools keep what they know in static fields. */
record ToolRun(int exit, String output) {

    /**
     * Runs a main class of the tools in a folder, and is over when it returns, however it returns.
     *
     * @throws IOException when it takes longer than that
     */
    static ToolRun of(String mainClass, List<String> arguments, Path folder, long seconds)
            throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command(mainClass, arguments, folder))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Thread hook = Thread.ofPlatform().unstarted(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS))
                throw new IOException("Not done in " + seconds + " s: " + Files.readString(output));
            return new ToolRun(process.exitValue(), Files.readString(output));
        } finally {
            process.destroyForcibly().waitFor();
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException processEnds) {
            // Then it does no harm.
        }
    }

    private static List<String> command(String mainClass, List<String> arguments, Path folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Most runs are over before the better compiler would pay. Two runs must not share the folder into which the
        // tools unpack their standard modules.
        command.addAll(List.of("-Xmx2g", "-XX:+UseSerialGC", "-Djava.io.tmpdir=" + folder));
        if (!Bounds.BIG) command.add("-XX:TieredStopAtLevel=1");
        // Made by the first run, mapped by all others: half of a short run is loading classes.
        Path archive = Path.of("target", "tlatools.jsa").toAbsolutePath();
        command.addAll(List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive));
        command.addAll(List.of("-cp", tools().toString(), mainClass));
        command.addAll(arguments);
        return command;
    }

    private static Path tools() {
        return Path.of(
                TLC.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    }
}
