package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.testkit.postgres.PostgresServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The card is charged by the first run, and by no other. */
class ShopTest {
    @TempDir
    Path folder;

    @Test
    void on_rocksdb() {
        paysOnce("rocksdb:" + folder);
    }

    @Test
    void on_postgresql() {
        try (PostgresServer server = PostgresServer.startFromClassPath(folder)) {
            paysOnce(server.jdbcUrl());
        }
    }

    private static void paysOnce(String url) {
        assertEquals(Collections.nCopies(3, "Receipt[id=r-1] after 1 payments here"), run(url));
        assertEquals(Collections.nCopies(3, "Receipt[id=r-1] after 0 payments here"), run(url));
    }

    private static List<String> run(String url) {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Shop.payments = 0;
        System.setOut(new PrintStream(printed, true));
        try {
            Shop.main(new String[] {url});
        } finally {
            System.setOut(out);
        }
        return printed.toString().lines().toList();
    }
}
