package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.semel.seal.SealKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EncryptionReaderTest {
    private static final String KEY =
            Base64.getEncoder().encodeToString("0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final Map<String, String> ENVIRONMENT = Map.of("K1", KEY, "SHORT", "c2VjcmV0", "LINE", KEY + "\n");
    private static final String SUCH_AS = ", such as from 'openssl rand -base64 32'";

    @TempDir
    Path folder;

    @Test
    void without_the_section_nothing_is_encrypted() {
        assertNull(valid("").encryption());
    }

    @Test
    void keys_come_from_the_environment_and_from_files_and_are_not_printed() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), KEY + "\n");
        Path raw = Files.write(folder.resolve("raw"), Base64.getDecoder().decode(KEY));
        GatewayConfig config = valid("""
            encryption:
              active: k2
              keys:
                k1: ${K1}
                k2: ${LINE}
                k3: { file: "%s" }
                k4: { file: "%s" }
            """.formatted(text, raw));
        SealKeys keys = config.encryption();
        assertNotNull(keys);
        assertEquals("k2", keys.active());
        assertEquals(Set.of("k1", "k2", "k3", "k4"), keys.ids());
        assertFalse(config.toString().contains(KEY.substring(0, 8)), config.toString());
        assertFalse(config.toString().contains("0123456789abcdef"), config.toString());
    }

    @Test
    void the_keys_stay_when_other_settings_are_given_elsewhere() {
        GatewayConfig config = valid("encryption: { active: k1, keys: { k1: '${K1}' } }");
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        GatewayConfig changed = config.withListen(anywhere).withAdmin(anywhere).withStore("memory:");
        assertEquals(config.encryption(), changed.encryption());
    }

    @Test
    void there_must_be_keys_and_an_active_one_among_them() {
        wrong(
                "2:13: encryption needs 'active', the id of the key to encrypt with",
                "encryption: { keys: { k1: '${K1}' } }");
        wrong(
                "2:13: encryption needs 'keys', each with an id and 32 bytes in base64" + SUCH_AS,
                "encryption: { active: k1 }");
        wrong(
                "2:23: there is no key 'k2' among the keys of encryption",
                "encryption: { active: k2, keys: { k1: '${K1}' } }");
        wrong("2:23: there is no key 'k1' among the keys of encryption", "encryption: { active: k1, keys: {} }");
        wrong("2:33: the keys of encryption must be a map of names and values", "encryption: { active: k1, keys: k1 }");
        wrong("2:13: encryption must be a map of names and values", "encryption: on");
        wrong(
                "2:15: unknown name 'key' in encryption. Did you mean 'keys'?",
                "encryption: { key: a, active: k1, keys: { k1: '${K1}' } }");
    }

    @Test
    void a_key_must_be_32_bytes_in_base64_and_is_never_repeated() {
        wrong("2:39: the key is not base64" + SUCH_AS, "encryption: { active: k1, keys: { k1: 'sec ret!' } }");
        wrong(
                "2:39: the key has 6 bytes; AES-256 needs 32" + SUCH_AS,
                "encryption: { active: k1, keys: { k1: '${SHORT}' } }");
        wrong("2:39: the key has 0 bytes; AES-256 needs 32" + SUCH_AS, "encryption: { active: k1, keys: { k1: '' } }");
        wrong(
                "2:39: the environment has no variable UNSET; set it or remove ${UNSET}",
                "encryption: { active: k1, keys: { k1: '${UNSET}' } }");
        wrong(
                "2:57: the key is not base64" + SUCH_AS,
                "encryption: { active: k1, keys: { k1: '${K1}', old-one: '#!' } }");
        wrong("2:39: expected a single value here", "encryption: { active: k1, keys: { k1: ['${K1}'] } }");
    }

    @Test
    void an_id_is_short_and_plain_and_stands_once() {
        String rule = " cannot be the id of a key; it has 1 to 32 letters, digits, dots, underscores and hyphens";
        wrong("2:48: 'k 2'" + rule, "encryption: { active: k1, keys: { k1: '${K1}', k 2: '${K1}' } }");
        wrong(
                "2:48: 'k1' stands twice in the keys of encryption",
                "encryption: { active: k1, keys: { k1: '${K1}', k1: '${K1}' } }");
    }

    @Test
    void a_file_must_be_there_and_hold_a_key() throws Exception {
        wrong("2:47: this file cannot be read", "encryption: { active: k1, keys: { k1: { file: /no/such } } }");
        wrong("2:47: this file cannot be read", "encryption: { active: k1, keys: { k1: { file: " + folder + " } } }");
        Path text = Files.writeString(folder.resolve("text"), "c2VjcmV0");
        wrong(
                "2:47: the key has 6 bytes; AES-256 needs 32" + SUCH_AS,
                "encryption: { active: k1, keys: { k1: { file: " + text + " } } }");
        wrong("2:39: a key is base64 text, or { file: PATH }", "encryption: { active: k1, keys: { k1: {} } }");
    }

    private static GatewayConfig valid(String section) {
        return switch (read(section)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private static void wrong(String problem, String section) {
        List<ConfigProblem> problems = assertInstanceOf(ConfigReader.Result.Invalid.class, read(section), section)
                .problems();
        assertEquals(
                List.of("semel.yaml:" + problem),
                problems.stream().map(ConfigProblem::toString).toList());
        assertFalse(problems.toString().contains("c2VjcmV0"));
    }

    private static ConfigReader.Result read(String section) {
        String yaml = "upstream: { url: http://127.0.0.1:9000 }\n" + section;
        return ConfigReader.read(yaml, "semel.yaml", EncryptionReaderTest::environment, null);
    }

    private static @Nullable String environment(String name) {
        return ENVIRONMENT.get(name);
    }
}
