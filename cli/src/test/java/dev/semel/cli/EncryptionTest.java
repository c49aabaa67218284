package dev.semel.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.cli.HttpMessage.Field;
import dev.semel.cli.SemelProcess.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sealed outcomes, from the configuration file to the bytes on the disk and over the life of several keys. */
class EncryptionTest {
    private static final String SECRET = "DE02-1203-0000-0000-2020-51";
    private static final String IN_A_HEADER = "holder-is-ann-smith";

    private static HttpMessage receipt(String key, int effect) {
        byte[] body = ("{\"effect\":" + effect + ",\"account\":\"" + SECRET + "\"}").getBytes(UTF_8);
        List<Field> fields = List.of(new Field("X-Holder", IN_A_HEADER), CountingUpstream.length(body));
        return new HttpMessage("HTTP/1.1 201 Created", fields, body);
    }

    private static String keyOf(int fill) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) fill);
        return Base64.getEncoder().encodeToString(key);
    }

    private static String encryption(String active, String keys) {
        return "encryption: { active: " + active + ", keys: { " + keys + " } }\n";
    }

    @ParameterizedTest
    @EnumSource
    void an_outcome_is_sealed_outlives_its_key_s_rotation_and_is_gone_with_its_key(OpenStore.Kind kind)
            throws Exception {
        try (OpenStore store = kind.open();
                CountingUpstream upstream = CountingUpstream.start(EncryptionTest::receipt)) {
            String one = "k1: \"" + keyOf(1) + "\"";
            String two = "k2: { file: \"" + store.write("k2", keyOf(2)) + "\" }";
            Path config = store.write("semel.yml", encryption("k1", one));
            try (GatewayProcess gateway = GatewayProcess.start(store.url(), upstream.url(), config)) {
                Answer old = Client.order(gateway.port(), "sealed-with-k1");
                assertTrue(old.text().contains(SECRET), old.text());
                gateway.kill9();
                nothingCanBeReadIn(store.path());

                store.write("semel.yml", encryption("k2", one + ", " + two));
                gateway.restart();
                replays(old, Client.order(gateway.port(), "sealed-with-k1"));
                Answer young = Client.order(gateway.port(), "sealed-with-k2");
                replays(young, Client.order(gateway.port(), "sealed-with-k2"));
                gateway.kill9();
                otherBytesAreRefused(store, upstream, config);

                store.write("semel.yml", encryption("k2", two));
                gateway.restart();
                notKept(Client.order(gateway.port(), "sealed-with-k1"));
                notKept(Client.order(gateway.port(), "sealed-with-k1"));
                replays(young, Client.order(gateway.port(), "sealed-with-k2"));
            }
            assertEquals(1, upstream.effects("sealed-with-k1"));
            assertEquals(1, upstream.effects("sealed-with-k2"));
        }
    }

    /** Keys are not sealed: that they are found shows that the search is for what can be found. */
    private static void nothingCanBeReadIn(Path folder) throws IOException {
        Set<String> found = new HashSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String content = Files.readString(file, ISO_8859_1);
                for (String text : List.of("sealed-with-k1", SECRET, IN_A_HEADER, "X-Holder"))
                    if (content.contains(text)) found.add(text);
            }
        }
        assertEquals(Set.of("sealed-with-k1"), found);
    }

    private static void replays(Answer first, Answer answer) {
        assertTrue(answer.isReplay(), answer.text());
        assertEquals(first.essence(), answer.essence());
    }

    private static void notKept(Answer answer) {
        assertEquals("201 response-not-kept", answer.summary(), answer.text());
        assertTrue(answer.isReplay());
        assertFalse(answer.essence().contains(SECRET));
    }

    private static void otherBytesAreRefused(OpenStore store, CountingUpstream upstream, Path config) throws Exception {
        store.write("semel.yml", encryption("k2", "k2: \"" + keyOf(9) + "\""));
        Ended ended = serve(store.url(), upstream, config);
        assertEquals(1, ended.code(), ended.err());
        assertTrue(ended.err().contains("semel: The encryption key 'k2' is not the one"), ended.err());
        assertFalse(ended.err().contains(keyOf(9)) || ended.err().contains("\tat "), ended.err());
    }

    private static Ended serve(String store, CountingUpstream upstream, Path config) throws Exception {
        try (SemelProcess process = SemelProcess.start(
                "serve",
                "--upstream",
                upstream.url().toString(),
                "--store",
                store,
                "--listen",
                "127.0.0.1:0",
                "--admin",
                "127.0.0.1:0",
                "--config",
                config.toString())) {
            return process.ended();
        }
    }

    @Test
    void a_key_that_is_missing_or_no_key_is_told_with_its_place_and_nothing_starts(@TempDir Path folder)
            throws Exception {
        Path config = Files.writeString(folder.resolve("semel.yml"), """
            encryption:
              active: k3
              keys:
                k1: "${SEMEL_NO_SUCH_KEY}"
                k2: "c2hvcnQtYnV0LXNlY3JldA=="
                k4: { file: "%s" }
            """.formatted(folder.resolve("no-such-file")));
        try (CountingUpstream upstream = CountingUpstream.start()) {
            Ended ended = serve("rocksdb:" + folder.resolve("keys"), upstream, config);
            assertEquals(2, ended.code(), ended.err());
            assertEquals("", ended.out());
            for (String part : List.of(
                    ":2:",
                    "no key 'k3'",
                    ":4:",
                    "SEMEL_NO_SUCH_KEY",
                    ":5:",
                    "AES-256 needs 32",
                    ":6:",
                    "cannot be read"))
                assertTrue(ended.err().contains(part), () -> "no '" + part + "' in:\n" + ended.err());
            assertFalse(ended.err().contains("c2hvcn"), "it shows a key");
            assertFalse(Files.exists(folder.resolve("keys")), "the store was opened");
        }
    }
}
