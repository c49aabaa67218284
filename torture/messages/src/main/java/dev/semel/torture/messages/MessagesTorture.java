package dev.semel.torture.messages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code semel torture messages}, which starts this with a class path of its own. Arguments, all of them: messages, seconds, seed, store,
 * broker, folder for the report.
 */
public final class MessagesTorture {
    private static final Duration LEASE = Duration.ofSeconds(13);

    private MessagesTorture() {}

    public static void main(String[] args) throws Exception {
        Path report = Path.of(args[5]).toAbsolutePath();
        Path data = Files.createDirectories(report.resolve("data"));
        Options options = new Options(
                Long.parseLong(args[0]),
                Duration.ofSeconds(Long.parseLong(args[1])),
                8,
                3,
                3,
                Long.parseLong(args[2]),
                Options.Faults.ALL,
                Duration.ofSeconds(5),
                LEASE,
                Duration.ofSeconds(40),
                RelayChild.class.getName(),
                report);
        int code;
        try (TestDatabase database = database(args[3], data);
                TestBroker broker = broker(args[4], data)) {
            System.out.printf(
                    "Messages through %s and %s; seed %d; report in %s%n", args[3], args[4], options.seed(), report);
            Report said = MessagesRun.run(options, database, broker, System.out);
            Files.writeString(report.resolve("report.txt"), said.toString());
            System.out.println();
            System.out.print(said);
            code = said.isClean() ? 0 : 1;
        }
        remove(data);
        System.exit(code);
    }

    private static TestDatabase database(String kind, Path data) {
        if (kind.equals("postgresql")) return PostgresDatabase.start(data.resolve("postgresql"));
        throw new IllegalArgumentException("There is no database '" + kind + "'.");
    }

    private static TestBroker broker(String kind, Path data) {
        if (kind.equals("kafka")) return KafkaTestBroker.start(data.resolve("kafka"));
        throw new IllegalArgumentException("There is no broker '" + kind + "'.");
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) Files.deleteIfExists(file);
        }
    }
}
