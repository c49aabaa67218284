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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as everybody runs it: every fault that fits, and no law broken. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Order(1)
class TortureTest {
    private static final long SECONDS = Long.getLong("semel.torture.seconds", 10);
    private static final String FAULTS = System.getProperty("semel.torture.faults", "available");

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
        String minutes = Double.toString(SECONDS / 60.0);
        SemelProcess.Ended ended =
                torture("--store", store, "--doors", doors, "--faults", FAULTS, "--minutes", minutes);
        assertEquals(0, ended.code(), ended.out() + ended.err());
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
        refused("'kill-postgresql' cannot be done to the store 'rocksdb'", "--faults", "kill-postgresql");
        refused("A RocksDB folder belongs to one gateway", "--gateways", "2");
        refused("--doors library needs a store that processes share", "--doors", "gateway,library");
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
                "torture", "--faults", "none", "--report", history.getParent().toString())) {
            Await.until("clients call", () -> Files.exists(history) && Files.size(history) > 10_000);
            children = semel.descendants();
            home = home(children);
            semel.kill9();
        }
        assertTrue(children.size() >= 3, "a gateway, a ledger and the cleanup, but " + children);
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
