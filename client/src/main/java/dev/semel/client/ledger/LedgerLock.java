package dev.semel.client.ledger;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** That one process has a ledger to itself, once: a lock on a file beside it, which ends with the process. */
final class LedgerLock implements AutoCloseable {
    /** Locked by this process. On Linux, to close any channel of a file would unlock it, so none is opened a second time. */
    private static final Set<Path> TAKEN = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private LedgerLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    static LedgerLock take(Path ledger) throws IOException {
        Path whole = ledger.toAbsolutePath();
        Path file = whole.resolveSibling(whole.getFileName() + ".lock");
        Path folder = file.getParent();
        if (folder != null) file = folder.toRealPath().resolve(file.getFileName());
        if (!TAKEN.add(file)) throw inUse(ledger);
        FileChannel channel = null;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (channel.tryLock() == null) throw inUse(ledger);
            return new LedgerLock(file, channel);
        } catch (IOException | RuntimeException e) {
            if (channel != null) channel.close();
            TAKEN.remove(file);
            throw e;
        }
    }

    private static LedgerException inUse(Path ledger) {
        return new LedgerException(
                "The ledger " + ledger + " is in use by another process, or twice in this one. Give each process a"
                        + " ledger of its own and keep it open, or use a JdbcLedger, which many may"
                        + " share.");
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It ends with the process at the latest.
        }
        TAKEN.remove(file);
    }
}
