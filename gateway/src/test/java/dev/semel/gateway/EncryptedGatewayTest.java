package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.store.rocksdb.Durability;
import dev.semel.store.rocksdb.RocksKeyStore;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.http.ScriptedUpstream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encryption at rest, from the wire to the files and back. */
class EncryptedGatewayTest {
    private static final String SECRET = "account DE02-1203-0000-0000-2020-51";
    private static final String K1 = "k1: " + key(1);
    private static final String K2 = "k2: " + key(2);

    /** The upstream gives back what it got; that is stored, the request itself is not. */
    private static final RawRequest CHARGE = RawRequest.post("/v1/binary")
            .key("k")
            .header("X-Scenario", "sealed")
            .body("application/octet-stream", SECRET.getBytes(StandardCharsets.UTF_8));

    private static final RawRequest DECLINED =
            RawRequest.charge("/v1/status/402").key("d").header("X-Scenario", "declined");

    @TempDir
    Path folder;

    private ScriptedUpstream upstream;

    @BeforeEach
    void startUpstream() throws Exception {
        upstream = ScriptedUpstream.start();
    }

    @AfterEach
    void stopUpstream() throws Exception {
        upstream.close();
    }

    @Test
    void an_answer_is_nowhere_in_the_files_and_is_replayed_with_its_key() throws Exception {
        Received.Response first;
        try (Gateway gateway = start("k1", K1)) {
            first = send(gateway, CHARGE);
            assertEquals(SECRET, first.text());
            assertArrayEquals(first.body(), send(gateway, CHARGE).body());
        }
        assertFalse(inTheFiles(SECRET), "the answer can be read in the files");
        assertFalse(inTheFiles("octet-stream"), "its headers can be read in the files");
        for (List<String> keys : List.of(List.of("k1", K1), List.of("k2", K1, K2))) {
            try (Gateway gateway =
                    start(keys.getFirst(), keys.subList(1, keys.size()).toArray(String[]::new))) {
                Received.Response replay = send(gateway, CHARGE);
                assertEquals(first.status(), replay.status());
                assertArrayEquals(first.body(), replay.body());
                assertEquals("true", replay.headers().first("Idempotent-Replayed"));
            }
        }
        assertEquals(1, upstream.ledger().effects("sealed"));
    }

    @Test
    void without_encryption_the_answer_is_in_the_files() throws Exception {
        try (Gateway gateway = start(config(""))) {
            send(gateway, CHARGE);
        }
        assertTrue(inTheFiles(SECRET), "then the search finds nothing at all");
    }

    @Test
    void without_its_key_an_answer_is_not_kept_and_nothing_runs_again() throws Exception {
        try (Gateway gateway = start("k1", K1)) {
            assertEquals(200, send(gateway, CHARGE).status());
            assertEquals(402, send(gateway, DECLINED).status());
        }
        try (Gateway gateway = start("k2", K2)) {
            assertNotKept(200, send(gateway, CHARGE));
            assertNotKept(402, send(gateway, DECLINED));
            assertNotKept(200, send(gateway, CHARGE));
        }
        assertEquals(1, upstream.ledger().effects("sealed"));
        assertEquals(1, upstream.ledger().effects("declined"));
    }

    private static void assertNotKept(int status, Received.Response answer) {
        assertEquals(status, answer.status());
        assertTrue(answer.text().contains("urn:semel:problem:response-not-kept"), answer::text);
        assertEquals("true", answer.headers().first("Idempotent-Replayed"));
        assertFalse(answer.text().contains("DE02"));
    }

    @Test
    void encryption_can_be_turned_on_later() throws Exception {
        try (Gateway gateway = start(config(""))) {
            send(gateway, DECLINED);
        }
        try (Gateway gateway = start("k1", K1)) {
            Received.Response replay = send(gateway, DECLINED);
            assertEquals(402, replay.status());
            assertEquals("{\"number\":1}", replay.text());
            send(gateway, CHARGE);
        }
        assertFalse(inTheFiles(SECRET));
        assertEquals(1, upstream.ledger().effects("declined"));
    }

    @Test
    void a_store_that_was_encrypted_is_not_opened_without_keys() throws Exception {
        try (Gateway gateway = start("k1", K1)) {
            send(gateway, CHARGE);
        }
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> start(config("")));
        assertTrue(String.valueOf(e.getMessage()).contains("has no 'encryption'"), e.getMessage());
        try (Gateway gateway = start("k1", K1)) {
            assertEquals(SECRET, send(gateway, CHARGE).text());
        }
    }

    @Test
    void other_bytes_under_the_id_of_a_key_are_told_at_the_start() throws Exception {
        try (Gateway gateway = start("k1", K1)) {
            send(gateway, CHARGE);
        }
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> start("k1", "k1: " + key(9)));
        assertTrue(String.valueOf(e.getMessage()).contains("'k1' is not the one"), e.getMessage());
        assertFalse(String.valueOf(e.getMessage()).contains(key(9)), "it shows the key");
        try (Gateway gateway = start("k1", K1)) {
            assertEquals(SECRET, send(gateway, CHARGE).text(), "the store was not closed, or changed");
        }
    }

    private Gateway start(String active, String... keys) {
        return start(config("encryption: { active: " + active + ", keys: { " + String.join(", ", keys) + " } }\n"));
    }

    private Gateway start(GatewayConfig config) {
        return Gateway.start(config, RocksKeyStore.open(folder, Durability.SYNC));
    }

    private GatewayConfig config(String encryption) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            upstream: { url: http://127.0.0.1:%d }
            """.formatted(upstream.port()) + encryption;
        return switch (ConfigReader.read(yaml, "semel.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems + "\n" + yaml);
        };
    }

    private static Received.Response send(Gateway gateway, RawRequest request) throws Exception {
        InetSocketAddress front = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
        Received received = RawHttp.exchange(front, request, Duration.ofSeconds(30));
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    private boolean inTheFiles(String text) throws Exception {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList())
                if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) return true;
        }
        return false;
    }

    private static String key(int fill) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) fill);
        return Base64.getEncoder().encodeToString(key);
    }
}
