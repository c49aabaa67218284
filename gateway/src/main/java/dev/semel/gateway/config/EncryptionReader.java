package dev.semel.gateway.config;

import dev.semel.seal.SealKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code encryption: { active: k2, keys: { k1: …, k2: { file: … } } }}. No message repeats a key. */
final class EncryptionReader {
    private static final String SUCH_AS = ", such as from 'openssl rand -base64 " + SealKeys.KEY_BYTES + "'";
    private static final int MOST_FILE_BYTES = 1024;

    private EncryptionReader() {}

    /** Null when there is no such section, or, reported, a wrong one. */
    static @Nullable SealKeys read(@Nullable YamlValue value) {
        if (value == null) return null;
        Map<String, YamlValue> entries = value.map("encryption", Set.of("active", "keys"), Map.of());
        if (!value.isMap()) return null;
        YamlValue active = entries.get("active");
        YamlValue keys = entries.get("keys");
        if (active == null) value.wrong("encryption needs 'active', the id of the key to encrypt with");
        if (keys == null) value.wrong("encryption needs 'keys', each with an id and 32 bytes in base64" + SUCH_AS);
        return active == null || keys == null ? null : read(active, keys);
    }

    private static @Nullable SealKeys read(YamlValue active, YamlValue keys) {
        Map<String, YamlValue> values = keys.mapOfAny("the keys of encryption", SealKeys::checkedId);
        Map<String, byte[]> bytes = new HashMap<>();
        values.forEach((id, value) -> {
            byte[] key = value.isMap() ? ofFile(value) : value.orNull(EncryptionReader::ofText);
            if (key != null) bytes.put(id, key);
        });
        String id = active.text();
        if (id == null || !keys.isMap()) return null;
        if (!values.containsKey(id)) active.wrong("there is no key '" + id + "' among the keys of encryption");
        return bytes.containsKey(id) && bytes.size() == values.size() ? SealKeys.of(id, bytes) : null;
    }

    private static byte @Nullable [] ofFile(YamlValue value) {
        YamlValue file = value.map("a key", Set.of("file"), Map.of()).get("file");
        if (file != null) return file.orNull(EncryptionReader::ofFile);
        value.wrong("a key is base64 text, or { file: PATH }");
        return null;
    }

    /** Base64 text, or the bytes themselves: no base64 of 32 bytes is 32 bytes long. */
    private static byte[] ofFile(String path) {
        try (InputStream in = Files.newInputStream(Path.of(path))) {
            byte[] content = in.readNBytes(MOST_FILE_BYTES);
            return content.length == SealKeys.KEY_BYTES
                    ? content
                    : ofText(new String(content, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new IllegalArgumentException("this file cannot be read", e);
        }
    }

    private static byte[] ofText(String text) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the key is not base64" + SUCH_AS, e);
        }
        if (key.length != SealKeys.KEY_BYTES)
            throw new IllegalArgumentException(
                    "the key has " + key.length + " bytes; AES-256 needs " + SealKeys.KEY_BYTES + SUCH_AS);
        return key;
    }
}
