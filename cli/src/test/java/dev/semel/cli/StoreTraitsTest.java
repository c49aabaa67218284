package dev.semel.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.SemelProcess.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store promises and cannot do is told in plain words: by {@code check} without asking it, by {@code serve} once it is open. */
class StoreTraitsTest {
    @TempDir
    Path folder;

    private String checked(String store) throws IOException {
        Path file = Files.writeString(
                folder.resolve("semel.yml"),
                "store: \"" + store + "\"\nupstream: { url: http://127.0.0.1:9000 }\naccept-lost-keys: true\n");
        Ended ended = SemelShell.run("check", file.toString());
        assertEquals(0, ended.code(), ended.err());
        return ended.out();
    }

    private static void has(String text, String... parts) {
        for (String part : parts) assertTrue(text.contains(part), () -> "no '" + part + "' in:\n" + text);
    }

    @Test
    void check_tells_what_each_store_promises_and_cannot_do() throws IOException {
        has(checked("memory:"), "survives nothing", "this machine's clock", "one process at a time");
        has(
                checked("jdbc:postgresql://db/keys"),
                "survives the loss of power",
                "synchronous_commit, fsync",
                "the server's clock",
                "removed by the sweep");
        assertFalse(checked("jdbc:postgresql://db/keys").contains("a transaction of the caller's own"));
        has(
                checked("jdbc:mariadb://db/keys"),
                "innodb_flush_log_at_trx_commit",
                "up to 8064 KiB",
                "max_allowed_packet");
        has(
                checked("redis://db"),
                "in its weakest set-up nothing; decided by appendonly",
                "removed by the server",
                "count keys",
                "16 MiB");
        assertFalse(checked("redis://db").contains("tell waiters"));
        has(checked("dynamodb://eu-central-1/keys"), "the loss of a machine", "the clients' clocks", "336 KiB", "10s");
        has(
                checked("cassandra://a,b/keys?dc=dc1"),
                "the loss of a machine",
                "commitlog_sync",
                "a silent holder counts as dead that much later");
    }

    @Test
    void check_takes_into_account_what_the_url_says() throws IOException {
        has(checked("rocksdb:keys"), "survives the loss of power\n");
        has(checked("rocksdb:keys?durability=os"), "survives the death of a process\n");
        has(checked("redis-cluster://a,b"), "may differ by 1s");
        has(checked("redis://a?skew=3s"), "may differ by 3s");
        has(checked("dynamodb://eu-central-1/keys?skew=2s"), "may differ by 2s");
        has(checked("cassandra://a/keys?skew=4s"), "may differ by 4s");
    }

    @Test
    void serve_tells_what_it_has_found() throws Exception {
        try (SemelProcess gateway = SemelProcess.start(
                "serve",
                "--upstream=http://127.0.0.1:9",
                "--listen=127.0.0.1:0",
                "--admin=127.0.0.1:0",
                "--store=rocksdb:" + folder.resolve("keys") + "?durability=os")) {
            gateway.awaitError(
                    "store: an answered write survives the death of a process; leases by this machine's clock;"
                            + " outcomes of any size; forgotten by the sweep; cannot notify, join");
        }
    }
}
