package dev.semel.store.rocksdb;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Looks into the folder of a closed store with nothing but RocksDB: an oracle that shares no code with the store. */
final class RawStore {
    private RawStore() {}

    interface Work<T> {
        T on(RocksDB rocks) throws RocksDBException;
    }

    static <T> T open(Path dir, Work<T> work) throws RocksDBException {
        try (RocksSettings settings = new RocksSettings();
                RocksDB rocks = RocksDB.open(settings.options(), dir.toString())) {
            return work.on(rocks);
        }
    }

    static void put(Path dir, byte[] key, byte[] value) throws RocksDBException {
        open(dir, rocks -> {
            rocks.put(key, value);
            return null;
        });
    }

    static SortedMap<byte[], byte[]> entries(Path dir) throws RocksDBException {
        return open(dir, rocks -> {
            SortedMap<byte[], byte[]> entries = new TreeMap<>(java.util.Arrays::compareUnsigned);
            try (RocksIterator all = rocks.newIterator()) {
                for (all.seekToFirst(); all.isValid(); all.next()) entries.put(all.key(), all.value());
                all.status();
            }
            return entries;
        });
    }
}
