package dev.semel.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker reads the translation that stands in the file, and nobody reads that. */
class TranslationTest {
    @TempDir
    Path folder;

    @Test
    void the_translation_is_that_of_the_algorithm_above_it() throws Exception {
        Path source = Model.SOURCES.resolve("Semel.tla");
        Path copy = Files.copy(source, folder.resolve("Semel.tla"));
        ToolRun run = ToolRun.of("pcal.trans", List.of("-nocfg", "Semel.tla"), folder, Bounds.SECONDS);
        assertEquals(0, run.exit(), run.output());
        assertEquals(Files.readString(copy), Files.readString(source), "to translate: see model/README.md");
    }
}
