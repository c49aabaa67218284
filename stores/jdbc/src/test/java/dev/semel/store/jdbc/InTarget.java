package dev.semel.store.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Folders for servers that may run as another user, who cannot enter what {@code /tmp} would give. */
final class InTarget implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        return Files.createDirectories(
                Path.of("target", "servers", UUID.randomUUID().toString()).toAbsolutePath());
    }
}
