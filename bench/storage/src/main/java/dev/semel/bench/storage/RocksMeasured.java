package dev.semel.bench.storage;

import dev.semel.core.store.KeyStore;
import dev.semel.store.rocksdb.RocksKeyStore;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** The embedded store: its files after a compaction of everything. */
final class RocksMeasured implements MeasuredStore {
    private final Path folder;
    private int opened;
    private @Nullable KeyStore open;

    RocksMeasured(Path folder) {
        this.folder = folder;
    }

    @Override
    public KeyStore openEmpty() {
        close();
        opened++;
        // Nothing is lost by leaving the syncs out: the process does not crash.
        open = RocksKeyStore.open("rocksdb:" + data() + "?durability=os");
        return open;
    }

    private Path data() {
        return folder.resolve("rocks-" + opened);
    }

    /** Only a store that is closed lets others compact it; it is not opened again. */
    @Override
    public long bytes() throws IOException, RocksDBException {
        close();
        compact();
        return DiskUse.of(data(), file -> {
            String name = file.getFileName().toString();
            return name.endsWith(".sst") || name.endsWith(".blob");
        });
    }

    /** With the settings of the store as far as they decide how large a file is. */
    private void compact() throws RocksDBException {
        try (BloomFilter filter = new BloomFilter(10);
                Options options = new Options();
                CompactRangeOptions all = new CompactRangeOptions()) {
            options.setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(filter))
                    .setCompressionType(CompressionType.LZ4_COMPRESSION)
                    .setEnableBlobFiles(true)
                    .setMinBlobSize(4096)
                    .setBlobCompressionType(CompressionType.LZ4_COMPRESSION)
                    .setEnableBlobGarbageCollection(true)
                    .setBlobGarbageCollectionAgeCutoff(1);
            all.setBottommostLevelCompaction(CompactRangeOptions.BottommostLevelCompaction.kForce);
            try (RocksDB rocks = RocksDB.open(options, data().toString())) {
                rocks.compactRange(null, null, null, all);
            }
        }
    }

    @Override
    public String how() {
        return "files (.sst, .blob) after a compaction";
    }

    @Override
    public void close() {
        if (open != null) open.close();
        open = null;
    }
}
