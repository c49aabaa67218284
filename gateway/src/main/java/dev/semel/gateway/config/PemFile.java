package dev.semel.gateway.config;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that a configuration names and that must be there. */
final class PemFile {
    private PemFile() {}

    /** Null, and reported, when the file cannot be read. */
    static @Nullable Path named(YamlValue value) {
        String text = value.text();
        if (text == null) return null;
        Path path = Path.of(text);
        if (Files.isReadable(path)) return path;
        value.wrong("the file " + path + " cannot be read");
        return null;
    }
}
