package dev.semel.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.bench.ProcessCpu;
import dev.semel.bench.Tool;
import dev.semel.bench.loop.LoopResult;
import dev.semel.bench.report.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** PostgreSQL's own load generator, with {@link BareStatements} as its script. */
final class Pgbench {
    private static final Pattern RATE = Pattern.compile("tps = ([0-9.]+)");
    private static final Pattern PROCESSED = Pattern.compile("transactions actually processed: ([0-9]+)");
    private static final Pattern FAILED = Pattern.compile("number of failed transactions: ([0-9]+)");
    private static final String DIGEST =
            "decode(lpad(to_hex(:a::bigint), 16, '0') || lpad(to_hex(:b::bigint), 16, '0'), 'hex')";

    private final Path program = Tool.PGBENCH.find();
    private final Path folder;
    private final Path script;
    private final int port;
    private final int clients;

    Pgbench(Path folder, int port, int clients) throws IOException {
        this.folder = Files.createDirectories(folder);
        this.script = Files.writeString(folder.resolve("script.sql"), script());
        this.port = port;
        this.clients = clients;
    }

    /** Every client makes its own keys out of two random numbers; the revision comes from what the claim returned. */
    private static String script() {
        String largest = Long.toString(Long.MAX_VALUE - 1);
        return "\\set a random(1, " + largest + ")\n\\set b random(1, " + largest + ")\n"
                + filled(BareStatements.CLAIM) + " \\gset\n"
                + filled(BareStatements.COMPLETE) + ";\n";
    }

    private static String filled(String statement) {
        return statement
                .strip()
                .replace("{id}", DIGEST)
                .replace("{key}", "(:a::text || :b::text)")
                .replace("{fingerprint}", bytes(KeyOperations.FINGERPRINT.bytes()))
                .replace("{outcome}", bytes(KeyOperations.outcome(1)))
                .replace("{revision}", ":revision::bigint");
    }

    private static String bytes(byte[] value) {
        return "'\\x" + HexFormat.of().formatHex(value) + "'::bytea";
    }

    /** @param transactions also those before and after what is in the rate */
    record Run(Sample sample, long transactions) {}

    Run run(Duration time, long databasePid) throws IOException, InterruptedException {
        Duration cpu = ProcessCpu.endedChildren();
        Duration behind = ProcessCpu.of(databasePid);
        Path log = Files.createTempDirectory(folder, "log");
        String printed = printed(log, Math.max(1, time.toSeconds()));
        double perSecond = number(RATE, printed);
        long errors = (long) number(FAILED, printed);
        long transactions = (long) number(PROCESSED, printed);
        long[] micros = latencies(log);
        LoopResult result = new LoopResult(
                transactions,
                transactions / perSecond,
                percentile(micros, 50),
                percentile(micros, 99),
                percentile(micros, 100),
                errors,
                errors == 0 ? "" : "failed transactions");
        Sample sample = Sample.of(
                result,
                ProcessCpu.endedChildren().minus(cpu),
                ProcessCpu.of(databasePid).minus(behind));
        return new Run(sample, transactions);
    }

    private static double number(Pattern pattern, String printed) throws IOException {
        Matcher found = pattern.matcher(printed);
        if (!found.find()) throw new IOException("pgbench does not tell " + pattern + ":\n" + printed);
        return Double.parseDouble(found.group(1));
    }

    private String printed(Path log, long seconds) throws IOException, InterruptedException {
        List<String> command = Stream.of(
                        program.toString(),
                        "-h",
                        "127.0.0.1",
                        "-p",
                        port,
                        "-U",
                        "postgres",
                        "-n",
                        "-M",
                        "prepared",
                        "-c",
                        clients,
                        "-j",
                        Runtime.getRuntime().availableProcessors(),
                        "-T",
                        seconds,
                        "-l",
                        "--log-prefix=" + log.resolve("latency"),
                        "--sampling-rate=0.2",
                        "-f",
                        script,
                        "postgres")
                .map(String::valueOf)
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (process.waitFor() != 0) throw new IOException("pgbench failed:\n" + printed);
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }

    /** The third word of each line is how long a transaction took, in microseconds. */
    private static long[] latencies(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            long[] micros = files.flatMap(Pgbench::lines)
                    .mapToLong(line -> Long.parseLong(line.split(" ", 4)[2]))
                    .toArray();
            Arrays.sort(micros);
            return micros;
        }
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Duration percentile(long[] sortedMicros, int percent) {
        if (sortedMicros.length == 0) return Duration.ZERO;
        int index = Math.min(sortedMicros.length - 1, sortedMicros.length * percent / 100);
        return Duration.ofNanos(sortedMicros[index] * 1_000);
    }
}
