package dev.semel.bench.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the store that needs no server. The others are measured by {@code semel bench storage}. */
class StorageBenchTest {
    @TempDir
    Path folder;

    @Test
    void figures_are_plausible_and_those_of_other_stores_stay_in_the_file() throws Exception {
        Path file = Files.writeString(folder.resolve("figures.json"), "{\"other\":{\"held\":1}}");
        StorageBench.main(
                new String[] {"2000", "0,1024", "rocksdb", folder.toString(), file.toString(), "./semel bench storage"
                });
        JsonNode all = new ObjectMapper().readTree(file.toFile());
        assertEquals(1, all.at("/other/held").asInt());
        JsonNode row = all.path("rocksdb");
        long grown = row.at("/done/1024").asLong() - row.at("/done/0").asLong();
        assertTrue(grown > 1000 && grown < 1300, row.toString());
        assertTrue(
                row.path("tombstone").asLong() > 60
                        && row.path("tombstone").asLong() < row.path("held").asLong() * 2,
                row.toString());
        assertEquals(2000, row.path("keys").asInt());
        assertEquals("./semel bench storage", row.path("command").asText());
    }
}
