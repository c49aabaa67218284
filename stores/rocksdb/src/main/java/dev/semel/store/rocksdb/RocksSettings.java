package dev.semel.store.rocksdb;

import java.time.Duration;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.TablePropertiesCollectorFactory;
import org.rocksdb.WALRecoveryMode;

/**
 * How RocksDB is set up, and why.
 *
 * <p>Log files are not recycled. It is meant to make a sync cheaper, but recovery then tells the end of a log from old bytes
 * by sequence numbers alone, and RocksDB leaves it out of its own crash tests because that is known to lose data.
 */
final class RocksSettings implements AutoCloseable {
    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;

    private final BloomFilter filter = new BloomFilter(10);
    private final LRUCache cache = new LRUCache(128 * MIB);
    private final TablePropertiesCollectorFactory compactDeletions =
            TablePropertiesCollectorFactory.NewCompactOnDeletionCollectorFactory(0, 0, 0.5);
    private final Options options = new Options();

    RocksSettings() {
        options.setCreateIfMissing(true);
        keepWhatWasAnswered();
        answerNewKeysFromMemory();
        keepBodiesOutOfCompaction();
        giveSpaceBack();
        stayOutOfTheWay();
    }

    private void keepWhatWasAnswered() {
        // After a crash the log ends in a torn write: all before it counts, it and all after it does not.
        options.setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery);
        // A file that is damaged is refused, never skipped.
        options.setParanoidChecks(true);
    }

    private void answerNewKeysFromMemory() {
        options.setTableFormatConfig(new BlockBasedTableConfig()
                // Most keys are new: ten bits a key say so without a look at the disk, but for one in a hundred.
                .setFilterPolicy(filter)
                .setBlockCache(cache));
        // Big enough that a burst of claims is not held up by a flush; bounds the memory to three of them.
        options.setWriteBufferSize(64 * MIB).setMaxWriteBufferNumber(3);
        // The same for what is still in memory: without it every new key costs a search through the whole table.
        options.setMemtablePrefixBloomSizeRatio(0.02).setMemtableWholeKeyFiltering(true);
        // Records repeat themselves (operation, headers), and this costs next to nothing to undo.
        options.setCompressionType(CompressionType.LZ4_COMPRESSION);
    }

    private void keepBodiesOutOfCompaction() {
        // A body of some size is written once to a blob file; compaction then moves only a pointer to it.
        options.setEnableBlobFiles(true).setMinBlobSize(RecordCodec.SEPARATE_BODY_FROM);
        options.setBlobCompressionType(CompressionType.LZ4_COMPRESSION);
        // Bodies expire about in the order in which they came, so it is the oldest files that are worth collecting.
        options.setEnableBlobGarbageCollection(true)
                .setBlobGarbageCollectionAgeCutoff(0.25)
                .setBlobGarbageCollectionForceThreshold(0.5);
    }

    private void giveSpaceBack() {
        // What was removed leaves the disk when its file is rewritten, which is thus done at least once a day...
        options.setPeriodicCompactionSeconds(Duration.ofDays(1).toSeconds());
        // ...and soon where a file holds little but removals.
        options.setTablePropertiesCollectorFactory(List.of(compactDeletions));
    }

    private void stayOutOfTheWay() {
        options.setMaxBackgroundJobs(Math.max(2, Runtime.getRuntime().availableProcessors() / 2));
        // Written back bit by bit, so that the sync of a commit does not queue behind a whole new file.
        options.setBytesPerSync(MIB);
        // RocksDB's own log file: enough to find out what happened, and no more.
        options.setMaxLogFileSize(8 * MIB).setKeepLogFileNum(3);
    }

    Options options() {
        return options;
    }

    @Override
    public void close() {
        options.close();
        compactDeletions.close();
        cache.close();
        filter.close();
    }
}
