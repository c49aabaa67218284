package dev.semel.store.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreFolderTest {
    @TempDir
    Path dir;

    @Test
    void a_missing_folder_is_made() {
        Path deep = dir.resolve("a/b/c");
        try (RocksKeyStore store = RocksKeyStore.open("rocksdb:" + deep + "?durability=os")) {
            Sample.insert(store, "k");
        }
        try (RocksKeyStore store = RocksKeyStore.open("rocksdb:" + deep)) {
            assertNotNull(store.find(Sample.id("k")));
        }
    }

    @Test
    void a_file_is_no_folder() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "precious");
        for (Path path : new Path[] {file, file.resolve("below")}) {
            String message = refusal(path);
            assertTrue(message.startsWith("The store in " + path + " cannot be opened: "), message);
        }
        assertEquals("precious", Files.readString(file));
    }

    @Test
    void a_second_open_in_this_process_is_refused_under_every_name() throws Exception {
        Path folder = dir.resolve("folder");
        try (RocksKeyStore store = RocksKeyStore.open(folder, Durability.OS)) {
            Path link = Files.createSymbolicLink(dir.resolve("link"), folder);
            for (Path name : new Path[] {folder, dir.resolve("./folder/../folder"), link}) {
                String message = refusal(name);
                assertTrue(message.contains("is in use by another process"), message);
            }
            Sample.insert(store, "k");
        }
        RocksKeyStore.open(folder, Durability.OS).close();
    }

    @Test
    void what_is_not_a_store_is_left_alone() throws Exception {
        Files.writeString(dir.resolve("CURRENT"), "no manifest\n");
        String message = refusal(dir);
        assertTrue(message.startsWith("The store in " + dir.toRealPath() + " cannot be opened: "), message);
    }

    private static String refusal(Path path) {
        return assertThrows(IllegalStateException.class, () -> RocksKeyStore.open(path, Durability.OS))
                .getMessage();
    }
}
