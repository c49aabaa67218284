package dev.semel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ToolTest {
    @TempDir
    Path folder;

    @Test
    void what_is_missing_is_named_with_the_command_that_installs_it() {
        Tool tool = new Tool("no-such-program", "apt-get install it");
        Exception e = assertThrows(Tool.MissingException.class, tool::find);
        assertTrue(e.getMessage().contains("no-such-program"), e.getMessage());
        assertTrue(e.getMessage().contains("apt-get install it"), e.getMessage());
    }

    @Test
    void a_program_is_found_in_any_folder_of_the_path() throws Exception {
        Path program = Files.createFile(folder.resolve("program"));
        Tool tool = new Tool("program", "");
        assertEquals(Optional.empty(), tool.lookUp("/nowhere:" + folder));
        assertTrue(program.toFile().setExecutable(true));
        assertEquals(Optional.of(program), tool.lookUp("/nowhere:" + folder));
    }
}
