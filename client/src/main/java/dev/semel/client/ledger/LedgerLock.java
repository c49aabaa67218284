package dev.semel.client.ledger;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** That one process has a ledger to itself: a lock on a file beside it, which ends with the process. */
record LedgerLock(FileChannel channel) implements AutoCloseable {

    static LedgerLock take(Path ledger) throws IOException {
        Path beside = ledger.resolveSibling(ledger.getFileName() + ".lock");
        FileChannel channel = FileChannel.open(beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel);
        if (lock == null) {
            channel.close();
            throw new LedgerException("The ledger " + ledger + " is in use by another process, or twice in this one."
                    + " Give each process a ledger of its own, or use a JdbcLedger, which many may share.");
        }
        return new LedgerLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It ends with the process at the latest.
        }
    }
}
