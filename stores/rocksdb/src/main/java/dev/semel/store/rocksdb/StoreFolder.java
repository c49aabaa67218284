package dev.semel.store.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Opens the folder of a store, or says in plain words why it cannot be. */
final class StoreFolder {
    private StoreFolder() {}

    static Database open(Path dir) {
        Path folder = prepare(dir);
        NativeLibrary.load();
        return new Database(folder, openPrepared(folder));
    }

    /** @param folder as a store that was open before has it */
    static OpenRocks openPrepared(Path folder) {
        RocksSettings settings = new RocksSettings();
        try {
            return new OpenRocks(settings, RocksDB.open(settings.options(), folder.toString()));
        } catch (RocksDBException e) {
            settings.close();
            throw new IllegalStateException(isLocked(e) ? inUse(folder) : cannotOpen(folder, e.toString()), e);
        }
    }

    /**
     * The one true path of the folder, made if it is missing. RocksDB knows the folders of its own process by name only:
     * under two names it would open the same files twice, and ruin them.
     */
    private static Path prepare(Path dir) {
        if (Files.exists(dir) && !Files.isDirectory(dir))
            throw new IllegalStateException(cannotOpen(dir, "it is not a folder"));
        try {
            Path folder = Files.createDirectories(dir).toRealPath();
            if (Files.isWritable(folder)) return folder;
            throw new IllegalStateException(cannotOpen(dir, "this user may not write in it"));
        } catch (IOException e) {
            throw new IllegalStateException(cannotOpen(dir, "the folder cannot be made (" + e + ")"), e);
        }
    }

    private static boolean isLocked(RocksDBException e) {
        String message = e.getMessage();
        return message != null
                && message.contains("LOCK: ")
                && (message.contains("lock hold by current process") || message.contains("While lock file"));
    }

    private static String inUse(Path dir) {
        return "The folder " + dir + " is in use by another process (RocksDB holds its lock file). One process owns an"
                + " embedded store; stop the other one, give this one a folder of its own, or use a store that a fleet"
                + " can share.";
    }

    private static String cannotOpen(Path dir, String why) {
        return "The store in " + dir + " cannot be opened: " + why + ".";
    }
}
