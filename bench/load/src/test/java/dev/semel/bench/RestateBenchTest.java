package dev.semel.bench;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RestateBenchTest {
    @TempDir
    Path folder;

    @Test
    void without_restate_the_command_that_installs_it_is_named() {
        Rounds.Plan plan = new Rounds.Plan(1, Duration.ofMillis(100), Duration.ZERO, 1);
        RestateBench.Options options = new RestateBench.Options(folder, folder, List.of(4), plan);
        Exception e = assertThrows(
                Tool.MissingException.class,
                () -> RestateBench.run(
                        options, BenchProcesses::fakeGateway, new PrintStream(PrintStream.nullOutputStream())));
        assertTrue(e.getMessage().contains("scripts/restate.sh"), e.getMessage());
    }
}
