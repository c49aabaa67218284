package dev.semel.store.rocksdb;

import dev.semel.testkit.LinearizabilityCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("Lincheck changes classes while it looks at them")
class LinearizabilityTest {
    private static Path dir;
    private static RocksKeyStore store;

    @BeforeAll
    static void open() throws IOException {
        dir = Files.createTempDirectory("linearizability");
        store = RocksKeyStore.open(dir, Durability.OS, LinearizabilityCheck.CLOCK);
    }

    @AfterAll
    static void close() throws IOException {
        store.close();
        Folders.delete(dir);
    }

    @Test
    void inserts_swaps_and_looks_are_linearizable() {
        LinearizabilityCheck.run(OnRocks.class, 200);
    }

    public static class OnRocks extends LinearizabilityCheck {
        public OnRocks() {
            super(store);
        }
    }
}
