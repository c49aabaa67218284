package dev.semel.http.tenant;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Keys from a file, read again when it changes. A file that went missing or bad leaves the last good keys in use. */
final class JwksFile implements Jwks {
    private static final Logger LOG = System.getLogger(JwksFile.class.getName());

    private final Path file;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Snapshot loaded;
    private volatile boolean complained;

    /** @throws IllegalArgumentException when the file cannot be read or has no key of use */
    JwksFile(Path file) {
        this.file = file;
        try {
            this.loaded = load(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("The JWKS file " + file + " is of no use: " + reason(e), e);
        }
    }

    private record Snapshot(SigningKeys keys, Stamp stamp) {}

    /** Tells one version of a file from the next, also when it was replaced by one of the same age. */
    private record Stamp(
            FileTime modified, long size, @Nullable Object identity) {
        static Stamp of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        }
    }

    @Override
    public SigningKeys current() {
        try {
            if (!Stamp.of(file).equals(loaded.stamp()) && reading.tryLock()) reload();
        } catch (IOException e) {
            complain(e);
        }
        return loaded.keys();
    }

    private void reload() throws IOException {
        try {
            Snapshot fresh = load(file);
            boolean same = fresh.keys().areThoseOf(loaded.keys());
            loaded = same ? new Snapshot(loaded.keys(), fresh.stamp()) : fresh;
            complained = false;
        } finally {
            reading.unlock();
        }
    }

    private static Snapshot load(Path file) throws IOException {
        // The stamp first: a write during the reading then shows as a change.
        Stamp stamp = Stamp.of(file);
        try (InputStream in = Files.newInputStream(file)) {
            return new Snapshot(SigningKeys.parse(in.readNBytes(SigningKeys.MAX_JWKS_BYTES + 1)), stamp);
        }
    }

    private void complain(IOException e) {
        if (complained) return;
        complained = true;
        LOG.log(Logger.Level.WARNING, "The JWKS file {0} changed and is of no use: {1}", file, reason(e));
    }

    private static String reason(IOException e) {
        return e instanceof NoSuchFileException ? "there is no such file" : String.valueOf(e.getMessage());
    }

    @Override
    public SigningKeys lookedForAgain() {
        return current();
    }
}
