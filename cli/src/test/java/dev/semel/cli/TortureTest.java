package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.torture.nemesis.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The command as everybody runs it: every fault that fits, and no law broken. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Order(1)
class TortureTest {
    private static final long SECONDS = Long.getLong("semel.torture.seconds", 10);
    private static final String FAULTS = System.getProperty("semel.torture.faults", "available");

    /** Which of the stores that have servers in a module of their own; all of them take minutes. */
    private static final String HOSTED = System.getProperty("semel.torture.stores", "redis");

    private static final long LONGEST_SECONDS_OF_HOSTED = 15;

    @TempDir
    Path folder;

    private SemelProcess.Ended torture(String... more) throws Exception {
        Path report = folder.resolve("report");
        List<String> arguments = new ArrayList<>(List.of("torture", "--report", report.toString()));
        arguments.addAll(List.of(more));
        try (SemelProcess semel = SemelProcess.start(arguments.toArray(String[]::new))) {
            return semel.awaitEnd();
        }
    }

    private void nothingGives(String store, String doors) throws Exception {
        nothingGives(store, doors, SECONDS, Set.of(0));
    }

    private void nothingGives(String store, String doors, long seconds, Set<Integer> codes) throws Exception {
        String minutes = Double.toString(seconds / 60.0);
        SemelProcess.Ended ended =
                torture("--store", store, "--doors", doors, "--faults", FAULTS, "--minutes", minutes);
        assertTrue(codes.contains(ended.code()), ended.code() + ": " + ended.out() + ended.err());
        assertTrue(ended.out().contains("No violations."), ended.out());
        String report = Files.readString(folder.resolve("report/report.json"));
        assertTrue(report.contains("\"verdict\" : \"clean\""), report);
        assertTrue(report.contains("\"kind\" : "), "there was no fault: " + report);
    }

    @Test
    void nothing_gives_on_rocksdb() throws Exception {
        nothingGives("rocksdb", "gateway");
    }

    @Test
    void nothing_gives_on_postgresql() throws Exception {
        nothingGives("postgresql", "gateway");
    }

    @Test
    void nothing_gives_where_the_library_is_beside_gateways() throws Exception {
        nothingGives("postgresql", "gateway,library");
        String report = Files.readString(folder.resolve("report/report.json"));
        assertFalse(report.contains("\"law\" : \"A joined key is never in doubt\",\n    \"keys\" : 0"), report);
    }

    static List<String> hosted() {
        return List.of(HOSTED.split(",", -1));
    }

    /** A cluster of Redis may lose keys where a replica takes over, and says so. */
    @ParameterizedTest
    @MethodSource("hosted")
    void nothing_gives_on_a_store_whose_server_is_in_a_module_of_its_own(String store) throws Exception {
        Set<Integer> codes = store.equals("redis-cluster") ? Set.of(0, 3) : Set.of(0);
        nothingGives(store, "gateway", Math.min(SECONDS, LONGEST_SECONDS_OF_HOSTED), codes);
    }

    @Test
    void what_a_replica_lacks_runs_again_and_is_told_to_be_a_loss() throws Exception {
        SemelProcess.Ended ended = torture("--store", "redis-cluster", "--show-loss", "--minutes", "0.15");
        assertEquals(0, ended.code(), ended.out() + ended.err());
        assertTrue(ended.out().contains("keys: A key has at most one effect"), ended.out());
        assertTrue(ended.out().contains("No violations."), ended.out());
        String report = Files.readString(folder.resolve("report/report.json"));
        assertTrue(report.contains("\"kind\" : \"fail-over\""), report);
    }

    @Test
    void a_store_that_does_not_sync_is_caught_when_power_is_lost() throws Exception {
        SemelProcess.Ended ended =
                torture("--store", "rocksdb?durability=os", "--faults", "power-loss", "--minutes", "0.1");
        String missing = Requirement.OWN_DISK.missing();
        if (missing != null) {
            assertTrue(ended.err().contains(missing), ended.err());
            return;
        }
        assertEquals(1, ended.code(), ended.out() + ended.err());
        assertTrue(ended.out().contains("VIOLATION: A key has at most one effect"), ended.out());
    }

    @Test
    void the_faults_are_told_by_name() throws Exception {
        try (SemelProcess semel = SemelProcess.start("torture", "--faults", "list")) {
            String out = semel.ended().out();
            assertTrue(out.contains("power-loss") && out.contains("kills a gateway with SIGKILL"), out);
        }
    }

    @Test
    void what_cannot_be_done_is_said_before_anything_is_started() throws Exception {
        refused("There is no fault 'flood'.", "--faults", "flood");
        refused("'kill-store' cannot be done to the store 'rocksdb'", "--faults", "kill-store");
        refused("'move-slots' cannot be done to the store 'redis'", "--store", "redis", "--faults", "move-slots");
        refused("There is no store 'mongodb'. Known are: rocksdb, postgresql, mariadb", "--store", "mongodb");
        refused("--show-loss needs --store redis-cluster", "--store", "redis", "--show-loss");
        refused("A RocksDB folder belongs to one gateway", "--gateways", "2");
        refused("--doors library needs a store whose transactions can be joined", "--doors", "gateway,library");
        refused("There is no door 'window'", "--doors", "window");
        refused("The fault 'kill-library' needs --doors library", "--faults", "kill-library");
    }

    private static void refused(String why, String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("torture"));
        all.addAll(List.of(arguments));
        try (SemelProcess semel = SemelProcess.start(all.toArray(String[]::new))) {
            SemelProcess.Ended ended = semel.ended();
            assertEquals(2, ended.code(), ended.err());
            assertTrue(ended.err().contains(why), ended.err());
        }
    }

    @Test
    void a_run_that_is_killed_leaves_no_process_and_no_folder_behind() throws Exception {
        Path history = folder.resolve("killed/history.bin");
        List<ProcessHandle> children;
        Path home;
        try (SemelProcess semel = SemelProcess.start(
                "torture",
                "--store",
                "redis",
                "--gateways",
                "1",
                "--faults",
                "none",
                "--report",
                history.getParent().toString())) {
            Await.until("clients call", () -> Files.exists(history) && Files.size(history) > 10_000);
            children = semel.descendants();
            home = home(children);
            semel.kill9();
        }
        assertTrue(children.size() >= 5, "gateway, ledger, cleanup, a server and its host, but " + children);
        Await.until("all are gone", () -> children.stream().noneMatch(ProcessHandle::isAlive));
        assertFalse(Files.exists(home), home.toString());
    }

    /** The folder of the run, which every gateway is told. Read from the system, for a handle tells no long command lines. */
    private static Path home(List<ProcessHandle> children) throws IOException {
        for (ProcessHandle child : children) {
            String command = Files.readString(Path.of("/proc", Long.toString(child.pid()), "cmdline"));
            for (String argument : command.split("\0", -1))
                if (argument.endsWith("gateway-1.yaml"))
                    return Path.of(argument).getParent();
        }
        throw new AssertionError("No gateway is told where it is: " + children);
    }
}
