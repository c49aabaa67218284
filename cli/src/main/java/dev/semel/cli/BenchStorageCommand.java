package dev.semel.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "storage",
        description = "How many bytes a key takes in each store, on a real server of each: for 'semel plan'.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The file that 'semel plan' reads: --save cli/src/main/resources/dev/semel/cli/plan/bytes-per-key.json"
        })
final class BenchStorageCommand implements Callable<Integer> {
    private static final String MODULE = "bench/storage";
    private static final int MOST_KEYS = 10_000_000;

    @Option(names = "--keys", paramLabel = "N", description = "how many keys of each kind (default: 50000)")
    private int keys = 50_000;

    @Option(
            names = "--bodies",
            paramLabel = "BYTES",
            split = ",",
            description = "sizes of outcomes (default: 0,200,1024,10240)")
    private List<Integer> bodies = List.of(0, 200, 1024, 10_240);

    @Option(names = "--stores", paramLabel = "NAME", split = ",", description = "only these (default: all)")
    private List<String> stores = List.of();

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "write the figures into this JSON file; those of other stores in it stay")
    private @Nullable Path file;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Override
    public Integer call() throws Exception {
        if (keys < 100 || keys > MOST_KEYS)
            throw new UsageProblem("--keys is between 100 and " + MOST_KEYS + ", not " + keys + ".");
        if (bodies.stream().anyMatch(it -> it < 0 || it > 300_000)
                || bodies.stream().distinct().count() < 2)
            throw new UsageProblem("--bodies are two sizes or more, of 0 to 300000 bytes.");
        try (TemporaryFolder folder = TemporaryFolder.create("semel-bench")) {
            Path result = file == null ? folder.path().resolve("bytes-per-key.json") : file.toAbsolutePath();
            return measure(folder.path(), result);
        }
    }

    /** In a process and a folder of its own, for servers bring many jars, and unpack into the build's folder. */
    private int measure(Path folder, Path result) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(List.of(
                "-Xmx1g",
                "-Dslf4j.internal.verbosity=ERROR",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                SourceTree.classPath(MODULE)));
        line.add("dev.semel.bench.storage.StorageBench");
        line.add(Integer.toString(keys));
        line.add(String.join(",", bodies.stream().map(String::valueOf).toList()));
        line.add(String.join(",", stores));
        line.add(folder.toString());
        line.add(result.toString());
        line.add(SaveOption.typed(command));
        Process process = new ProcessBuilder(line)
                .directory(SourceTree.folder(MODULE).resolve("target").toFile())
                .inheritIO()
                .start();
        try {
            return process.waitFor();
        } finally {
            process.destroy();
        }
    }
}
