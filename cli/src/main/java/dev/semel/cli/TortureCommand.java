package dev.semel.cli;

import dev.semel.bench.ChildJvm;
import dev.semel.examples.demo.CtrlC;
import dev.semel.torture.check.CheckResult;
import dev.semel.torture.client.ClientBehaviour;
import dev.semel.torture.client.Door;
import dev.semel.torture.fuzz.HttpFuzz;
import dev.semel.torture.library.LibraryShop;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.run.Faults;
import dev.semel.torture.run.Options;
import dev.semel.torture.run.TortureRun;
import dev.semel.torture.system.DoorProgram;
import dev.semel.torture.system.Programs;
import dev.semel.torture.system.ServersProgram;
import dev.semel.torture.system.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "torture",
        description = "Does to gateways what nobody should, and checks that nothing gives.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = TortureMessagesCommand.class,
        footer = {
            "",
            "Starts gateways (or services with the library), a service behind them and the store as processes of their"
                    + " own, lets clients loose, breaks",
            "everything again and again, and holds what was seen against the laws.",
            "",
            "Exit code 0: no law was broken. 1: one was. 3: keys were lost at a fail-over, of which a cluster of Redis"
                    + " warns; with --show-loss: none was lost, so nothing is shown.",
            "More: docs/torture.md"
        })
final class TortureCommand implements Callable<Integer> {
    private static final List<String> JVM = GatewayJvm.with("-XX:+UseParallelGC", "-Xmx512m");
    private static final List<String> SHORT_LIVED_JVM =
            GatewayJvm.with("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m");
    private static final int DEFAULT_MINUTES = 5;
    private static final double MINUTES_TO_SHOW_LOSS = 0.5;
    private static final String SERVERS = "torture/servers";
    private static final int NOT_AS_EXPECTED = 3;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "rocksdb, postgresql, mariadb, redis, redis-cluster, dynamodb, cassandra (started for the run), or"
                            + " a URL that is not killed (default: rocksdb)")
    private String store = "rocksdb";

    @Option(
            names = "--show-loss",
            description =
                    "with --store redis-cluster: lets replicas take over that lack what was acknowledged, to show what"
                            + " that does (for half a minute, with no other faults than lose-writes unless told so)")
    private boolean showLoss;

    @Option(names = "--minutes", paramLabel = "N", description = "for how long (default: 5, or until --operations)")
    private @Nullable Double minutes;

    @Option(
            names = "--operations",
            paramLabel = "N",
            description = "end after so many calls, each of them an operation on a key")
    private @Nullable Integer operations;

    @Option(
            names = "--doors",
            split = ",",
            paramLabel = "DOOR",
            description = "gateway, library (services with the library in them; they need PostgreSQL)"
                    + " (default: gateway)")
    private List<String> doors = List.of("gateway");

    @Option(names = "--libraries", paramLabel = "N", description = "services with the library (default: 2)")
    private int libraries = 2;

    @Option(names = "--gateways", paramLabel = "N", description = "how many (default: 3; on rocksdb 1)")
    private @Nullable Integer gateways;

    @Option(names = "--clients", paramLabel = "N", description = "how many at once (default: 48)")
    private int clients = 48;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "NAME",
            description =
                    "all, available (whose tools are there), none, names, or -NAME to leave one out; list tells them"
                            + " (default: all)")
    private @Nullable List<String> faults;

    @Option(names = "--seed", paramLabel = "N", description = "the same luck again (default: fresh, and printed)")
    private @Nullable Long seed;

    @Option(
            names = "--report",
            paramLabel = "DIR",
            description = "where history and findings are written (default: a new folder in torture-report)")
    private @Nullable Path report;

    @Option(
            names = "--migrate-to",
            paramLabel = "STORE",
            description = "meanwhile the fleet changes to this store: postgresql, mariadb, redis, dynamodb or cassandra"
                    + " (a server of the run's own), or a URL")
    private @Nullable String migrateTo;

    @Option(names = "--fuzz-http", description = "instead, send one gateway requests that are nearly HTTP")
    private boolean fuzzHttp;

    @Option(names = "--requests", paramLabel = "N", description = "with --fuzz-http: how many (default: 100000)")
    private int requests = 100_000;

    @Option(names = "--connections", paramLabel = "N", description = "with --fuzz-http: clients at once (default: 128)")
    private int connections = 128;

    @Override
    public Integer call() throws Exception {
        if (fuzzHttp) return fuzz();
        if (List.of("list").equals(faults)) return listFaults();
        Options options = options();
        try {
            CheckResult result = CtrlC.<CheckResult, Exception>interrupts(() -> run(options));
            if (!result.isClean()) return 1;
            return result.lossCount() > 0 == showLoss ? 0 : NOT_AS_EXPECTED;
        } catch (InterruptedException e) {
            System.err.println("semel: ended before its time; nothing was checked");
            return 1;
        }
    }

    private CheckResult run(Options options) throws IOException, InterruptedException {
        return migrateTo == null
                ? TortureRun.run(options, programs(), System.out)
                : TortureRun.runMigrating(options, target(), programs(), System.out);
    }

    private String target() {
        if (migrateTo == null || Options.isForOne(migrateTo) || Options.isForOne(store))
            throw new UsageProblem("--migrate-to needs stores that gateways share, as --store postgresql is.");
        if (doors().contains(Door.LIBRARY))
            throw new UsageProblem("--migrate-to is for gateways; leave --doors library out.");
        return migrateTo;
    }

    private Options options() {
        if (showLoss && kind() != StoreKind.REDIS_CLUSTER)
            throw new UsageProblem("--show-loss needs --store redis-cluster: no other store of a run has replicas that"
                    + " take over.");
        int most = operations == null ? Options.UNLIMITED : operations;
        double usual = showLoss ? MINUTES_TO_SHOW_LOSS : DEFAULT_MINUTES;
        double length = minutes != null ? minutes : operations == null ? usual : Integer.MAX_VALUE;
        if (clients < 1 || most < 1 || length <= 0) throw new UsageProblem("There is nothing to do.");
        return new Options(
                store,
                doors(),
                gateways(),
                libraries,
                clients,
                ClientBehaviour.DEFAULT,
                Options.DEFAULT_SLOW_PERCENT,
                Duration.ofSeconds((long) (length * 60)),
                most,
                chosen(),
                seedOrRandom(),
                report == null ? newFolder() : fresh(report));
    }

    private StoreKind kind() {
        try {
            return StoreKind.of(store);
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }

    /** Of its own also when two runs begin in the same second. */
    private static Path newFolder() {
        long pid = ProcessHandle.current().pid();
        return Path.of("torture-report", "run-" + System.currentTimeMillis() / 1000 + "-" + pid);
    }

    private int gateways() {
        boolean forOne = Options.isForOne(store);
        int count = gateways != null ? gateways : forOne ? 1 : 3;
        if (count < 1) throw new UsageProblem("--gateways starts at 1.");
        if (forOne && count > 1) throw new UsageProblem("A RocksDB folder belongs to one gateway: use --gateways 1.");
        return count;
    }

    private Set<Door> doors() {
        Set<Door> all = EnumSet.noneOf(Door.class);
        for (String name : doors) all.add(door(name));
        if (!all.contains(Door.LIBRARY)) return all;
        if (!Options.joins(store))
            throw new UsageProblem("--doors library needs a store whose transactions can be joined: use --store"
                    + " postgresql, or the URL of a PostgreSQL, and not '" + store + "'.");
        if (libraries < 1) throw new UsageProblem("--libraries starts at 1.");
        return all;
    }

    private static Door door(String name) {
        return Arrays.stream(Door.values())
                .filter(door -> door.title().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageProblem("There is no door '" + name + "'. Known are: gateway, library"));
    }

    private Set<FaultKind> chosen() {
        try {
            List<String> names = faults != null ? faults : List.of(showLoss ? "lose-writes" : "all");
            return Faults.chosen(names, store, doors());
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }

    private static Path fresh(Path folder) {
        if (Files.exists(folder.resolve("history.bin")))
            throw new UsageProblem("There is a report in " + folder + " already.");
        return folder;
    }

    private static int listFaults() {
        for (FaultKind kind : FaultKind.values()) System.out.printf("%-18s %s%n", kind.title(), kind.about());
        return 0;
    }

    /** {@code semel serve}, as everybody runs it. */
    static DoorProgram gatewayProgram() {
        return new DoorProgram(SHORT_LIVED_JVM, Main.class.getName(), List.of("serve", "--config"));
    }

    /** The same, a service that uses the library as anybody would, and what starts the server. */
    private Programs programs() throws IOException {
        return new Programs(
                gatewayProgram(),
                new DoorProgram(SHORT_LIVED_JVM, LibraryShop.class.getName(), List.of()),
                needsServers() ? serversProgram() : null);
    }

    private boolean needsServers() {
        return kind().isHosted()
                || (migrateTo != null && StoreKind.of(migrateTo).isHosted());
    }

    private static ServersProgram serversProgram() throws IOException {
        return new ServersProgram(SourceTree.classPath(SERVERS), SourceTree.folder(SERVERS));
    }

    private int fuzz() throws IOException, InterruptedException {
        if (requests < 1 || connections < 1) throw new UsageProblem("--requests and --connections start at 1.");
        try (TemporaryFolder folder = TemporaryFolder.create("semel-torture")) {
            String url = store.equals("rocksdb") ? "rocksdb:" + folder.path().resolve("keys") : store;
            Path offending = report == null ? Path.of("torture-report") : report;
            HttpFuzz.Options options = new HttpFuzz.Options(requests, seedOrRandom(), connections, url, offending);
            return HttpFuzz.run(options, TortureCommand::launch, System.out) == 0 ? 0 : 1;
        }
    }

    private long seedOrRandom() {
        return seed == null ? ThreadLocalRandom.current().nextLong() : seed;
    }

    static ChildJvm launch(Path config) throws IOException {
        return ChildJvm.start(
                JVM, Main.class.getName(), List.of("serve", "--accept-lost-keys", "--config", config.toString()));
    }
}
