package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.torture.check.CheckResult;
import dev.semel.torture.client.ClientBehaviour;
import dev.semel.torture.client.Door;
import dev.semel.torture.history.Promise;
import dev.semel.torture.nemesis.FaultKind;
import dev.semel.torture.run.Options;
import dev.semel.torture.run.TortureRun;
import dev.semel.torture.system.DoorProgram;
import dev.semel.torture.system.Programs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A torture run that cannot fail proves nothing: the real gateway with a bug in it is caught, by the law that it breaks. */
@Timeout(600)
@Order(2)
class PlantedBugTest {
    private static final ClientBehaviour CONCURRENT_CALLS = ClientBehaviour.DEFAULT.withManyGatewaysAsked(60);
    private static final int CLIENTS = 96;
    private static final int OFTEN_SLOW = 80;
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void a_swap_that_does_not_compare_is_caught() throws Exception {
        caught(
                PlantedBug.NO_TOKEN_CHECK,
                "postgresql",
                "One outcome of a key is fresh at most",
                FaultKind.REFUSE,
                FaultKind.PAUSE_GATEWAY);
    }

    @Test
    void a_time_out_that_frees_the_key_is_caught() throws Exception {
        caught(PlantedBug.RELEASE_ON_TIME_OUT, "rocksdb", "A key has at most one effect", FaultKind.CUT_AFTER_REQUEST);
    }

    @Test
    void an_answer_that_leaves_before_it_is_durable_is_caught() throws Exception {
        caught(
                PlantedBug.ANSWER_BEFORE_DURABLE,
                "rocksdb",
                "An outcome that was answered stays",
                FaultKind.KILL_GATEWAY);
    }

    @Test
    void a_late_holder_that_overwrites_is_caught() throws Exception {
        caught(
                PlantedBug.COMPLETE_BY_NAME,
                CONCURRENT_CALLS.asking(Promise.AT_LEAST_ONCE),
                "postgresql",
                "One outcome of a key is fresh at most",
                FaultKind.PAUSE_GATEWAY);
    }

    @Test
    void a_joined_key_that_nobody_locks_is_caught() throws Exception {
        caught(
                PlantedBug.JOIN_WITHOUT_LOCK,
                Door.LIBRARY,
                CONCURRENT_CALLS.asking(Promise.JOINED),
                "postgresql",
                "A key has at most one effect",
                FaultKind.DELAY);
    }

    private void caught(PlantedBug bug, String store, String law, FaultKind... faults) throws Exception {
        caught(bug, CONCURRENT_CALLS, store, law, faults);
    }

    private void caught(PlantedBug bug, ClientBehaviour behaviour, String store, String law, FaultKind... faults)
            throws Exception {
        caught(bug, Door.GATEWAY, behaviour, store, law, faults);
    }

    private void caught(
            PlantedBug bug, Door door, ClientBehaviour behaviour, String store, String law, FaultKind... faults)
            throws Exception {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        CheckResult result;
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            Options options = new Options(
                    store,
                    Set.of(door),
                    Options.isForOne(store) ? 1 : 2,
                    2,
                    CLIENTS,
                    behaviour,
                    OFTEN_SLOW,
                    A_MINUTE,
                    Integer.MAX_VALUE,
                    Set.of(faults),
                    ThreadLocalRandom.current().nextLong(),
                    folder.resolve("report"));
            result = TortureRun.runUntil(it -> breaks(law, it), options, programs(bug), out);
        }
        String all = said.toString(StandardCharsets.UTF_8);
        assertTrue(breaks(law, result), () -> bug + " was not caught by '" + law + "':\n" + all);
    }

    private static boolean breaks(String law, CheckResult result) {
        return result.laws().stream().anyMatch(it -> it.law().startsWith(law) && it.broken() > 0);
    }

    private static Programs programs(PlantedBug bug) {
        return new Programs(program(BuggyServe.class, bug), program(BuggyShop.class, bug), null);
    }

    private static DoorProgram program(Class<?> main, PlantedBug bug) {
        List<String> options = new ArrayList<>(SharedClasses.options("serve"));
        options.addAll(List.of("-cp", SharedClasses.CLASS_PATH));
        options.addAll(SemelProcess.JVM);
        return new DoorProgram(options, main.getName(), List.of(bug.name()));
    }
}
