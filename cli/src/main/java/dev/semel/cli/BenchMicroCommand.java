package dev.semel.cli;

import dev.semel.bench.report.JmhResults;
import dev.semel.bench.report.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "micro",
        description = "The hot pure parts, one by one, with JMH: key, fingerprint, canonical JSON, rules, codecs.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class BenchMicroCommand implements Callable<Integer> {
    @Option(names = "--only", paramLabel = "REGEX", description = "benchmarks whose name it finds (default: all)")
    private String only = ".*";

    @Option(names = "--allocations", description = "also how many bytes each allocates")
    private boolean allocations;

    @Option(names = "--forks", paramLabel = "N", description = "fresh JVMs for each (default: 2)")
    private int forks = 2;

    @Option(names = "--iterations", paramLabel = "N", description = "measured seconds in each JVM (default: 5)")
    private int iterations = 5;

    @Option(names = "--warm-up", paramLabel = "N", description = "seconds before, in each JVM (default: 3)")
    private int warmUp = 3;

    @Mixin
    private SaveOption save = new SaveOption();

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        String classPath = SourceTree.classPath("bench/jmh");
        Machine machine = Machine.here();
        try (TemporaryFolder folder = TemporaryFolder.create("semel-bench")) {
            Path results = folder.path().resolve("jmh.json");
            run(jmh(classPath, results));
            return save.show(JmhResults.report(machine, results), command);
        }
    }

    private List<String> jmh(String classPath, Path results) {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> line = new ArrayList<>(List.of(java.toString(), "-cp", classPath, "org.openjdk.jmh.Main", only));
        String options = "-bm avgt -tu ns -r 1s -w 1s -f " + forks + " -i " + iterations + " -wi " + warmUp;
        line.addAll(List.of(options.split(" ", -1)));
        line.addAll(List.of("-rf", "json", "-rff", results.toString()));
        if (allocations) line.addAll(List.of("-prof", "gc"));
        return line;
    }

    private static void run(List<String> line) throws IOException, InterruptedException {
        Process jmh = new ProcessBuilder(line).redirectErrorStream(true).start();
        try (BufferedReader printed = jmh.inputReader()) {
            printed.lines().forEach(System.err::println);
            if (jmh.waitFor() != 0) throw new IOException("JMH ended with exit code " + jmh.exitValue() + ".");
        } finally {
            jmh.destroyForcibly();
        }
    }
}
