package dev.semel.store.rocksdb;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;

/**
 * Loads RocksDB's native part so that nothing of it stays behind. RocksDB by itself leaves its library in the temporary
 * folder until the process ends in an orderly way; whoever is killed leaves 15 MB there each time.
 */
final class NativeLibrary {
    private static final String PACKED = Environment.getJniLibraryFileName("rocksdb");

    /** Not the name it is packed under: this is what RocksDB looks for in a folder. */
    private static final String UNPACKED = Environment.getJniLibraryFileName("rocksdbjni");

    private static boolean loaded;

    private NativeLibrary() {}

    static synchronized void load() {
        if (loaded) return;
        try {
            loadAndDelete();
        } catch (IOException | UnsatisfiedLinkError e) {
            // A temporary folder that must not hold programs, a system with another library: RocksDB knows more ways.
            RocksDB.loadLibrary();
        }
        loaded = true;
    }

    /** What is mapped into memory stays there without its file, at least where files can be removed while in use. */
    private static void loadAndDelete() throws IOException {
        Path folder = Files.createTempDirectory("semel-rocksdb");
        Path file = folder.resolve(UNPACKED);
        try {
            unpack(file);
            RocksDB.loadLibrary(List.of(folder.toString()));
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(folder);
        }
    }

    private static void unpack(Path file) throws IOException {
        try (InputStream packed = RocksDB.class.getResourceAsStream("/" + PACKED)) {
            if (packed == null) throw new FileNotFoundException("no library of this name: " + PACKED);
            Files.copy(packed, file);
        }
    }
}
