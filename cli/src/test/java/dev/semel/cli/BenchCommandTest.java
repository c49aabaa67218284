package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BenchCommandTest {
    @TempDir
    Path folder;

    @Test
    void every_benchmark_explains_itself() {
        for (String name : List.of(
                "gateway", "postgresql", "growth", "storage", "restate", "libraries", "outbox", "micro", "plot")) {
            CommandLine bench = new CommandLine(new BenchCommand());
            StringWriter help = new StringWriter();
            bench.setOut(new PrintWriter(help));
            assertEquals(0, bench.execute(name, "--help"), name);
            assertTrue(help.toString().contains("Usage: bench " + name), help.toString());
        }
    }

    @Test
    void sizes_that_do_not_grow_or_are_none_are_refused() {
        assertEquals(2, Main.run("bench", "growth", "--keys", "many"));
        assertEquals(2, Main.run("bench", "growth", "--keys", "10M,1M"));
        assertEquals(2, Main.run("bench", "growth", "--rounds", "0"));
    }

    @Test
    void figures_for_plans_are_of_enough_keys_and_of_two_sizes() {
        assertEquals(2, Main.run("bench", "storage", "--keys", "10"));
        assertEquals(2, Main.run("bench", "storage", "--bodies", "100"));
    }

    @Test
    void messages_are_written_by_somebody_and_come_in_transactions_of_some_size() {
        assertEquals(2, Main.run("bench", "outbox", "--writers", "0"));
        assertEquals(2, Main.run("bench", "outbox", "--batch", "10,0"));
        assertEquals(2, Main.run("bench", "outbox", "--only", "everything"));
    }

    @Test
    void more_keys_than_the_disk_has_room_for_are_refused_at_once() {
        assertEquals(1, Main.run("bench", "growth", "--keys", "900000000M", "--folder", folder.toString()));
    }

    @Test
    void without_restate_nothing_is_started() {
        assertEquals(1, Main.run("bench", "restate", "--restate", folder.toString()));
    }

    @Test
    void a_plot_needs_something_that_was_saved() throws Exception {
        assertEquals(2, Main.run("bench", "plot", folder.resolve("none").toString()));
        assertEquals(2, Main.run("bench", "plot", folder.toString()));
        Files.writeString(folder.resolve("odd.json"), "{}", UTF_8);
        assertEquals(1, Main.run("bench", "plot", folder.toString()));
    }
}
