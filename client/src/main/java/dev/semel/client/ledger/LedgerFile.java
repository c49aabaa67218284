package dev.semel.client.ledger;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file of records that only grows, until it is written anew without what is no longer needed.
 *
 * <p>A record is one {@link RecordLine}. {@link #append} is for one thread at a time; {@link #sync} is for any, and
 * syncs for all that have appended so far. After a failed write or sync the file is not used any more: what is on disk
 * is then known only to who opens it anew. Not a {@code FileChannel}, which an interrupted thread would close.
 */
final class LedgerFile implements AutoCloseable {
    private static final byte[] TITLE = "semel-client-ledger 1\n".getBytes(StandardCharsets.US_ASCII);

    private final Path path;
    private final ReentrantLock syncing = new ReentrantLock();
    private RandomAccessFile file;
    private long end;
    private volatile long written;
    private volatile long synced;
    private volatile @Nullable IOException broken;

    /** Where a record is. */
    record Place(long offset, int length) {}

    /** Whoever is told of each record when the file is opened. */
    interface Visitor {
        void visit(Place place, byte[] payload) throws IOException;
    }

    private LedgerFile(Path path, RandomAccessFile file) {
        this.path = path;
        this.file = file;
    }

    static LedgerFile open(Path path, Visitor visitor) throws IOException {
        if (!Files.exists(path)) create(path);
        LedgerFile opened = new LedgerFile(path, new RandomAccessFile(path.toFile(), "rw"));
        try {
            opened.readTitle();
            opened.readRecords(visitor);
            opened.file.getFD().sync();
            syncFolder(path);
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    /** For its owner only, where the file system knows owners: it holds the bodies of requests. */
    private static void create(Path path) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix"))
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        else Files.createFile(path);
    }

    private void readTitle() throws IOException {
        byte[] title = new byte[(int) Math.min(TITLE.length, file.length())];
        file.readFully(title);
        if (!new String(TITLE, StandardCharsets.US_ASCII).startsWith(new String(title, StandardCharsets.US_ASCII)))
            throw new LedgerException(path + " is not a ledger of this client. It was left as it is.");
        if (title.length < TITLE.length) {
            file.seek(0);
            file.write(TITLE);
        }
        end = TITLE.length;
    }

    /**
     * What follows the last record that can be read was being written when the process or the machine died, and is cut
     * off. Unless a later record says that the unreadable one was on disk already: then the file was damaged.
     */
    private void readRecords(Visitor visitor) throws IOException {
        long damagedAt = -1;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
            in.skipNBytes(TITLE.length);
            long offset = TITLE.length;
            for (byte[] line = readLine(in); line.length > 0; line = readLine(in)) {
                RecordLine read = RecordLine.parse(line);
                if (damagedAt < 0 && read != null && read.number() == written + 1) {
                    visitor.visit(new Place(offset, line.length), read.payload());
                    written = read.number();
                    end = offset + line.length;
                    offset = end;
                    continue;
                }
                if (damagedAt < 0) damagedAt = offset;
                RecordLine later = read != null ? read : RecordLine.last(line);
                if (later != null && later.syncedBefore() > written)
                    throw new LedgerException(path + " is damaged at byte " + damagedAt
                            + ": a record that was on disk cannot be read. Pending calls may be missing, so nothing is"
                            + " sent. Restore the file, or find out what was pending and start with a new one.");
                offset += line.length;
            }
        }
        if (damagedAt >= 0) file.setLength(end);
        synced = written;
    }

    /** With its line break, where it has one; empty at the end. */
    private static byte[] readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        for (int next = in.read(); next >= 0; next = in.read()) {
            line.write(next);
            if (next == '\n') break;
        }
        return line.toByteArray();
    }

    /** Durable only after {@link #sync}. */
    Place append(byte[] payload) throws IOException {
        refuseIfBroken();
        long number = written + 1;
        byte[] line = new RecordLine(number, synced, payload).format();
        try {
            file.seek(end);
            file.write(line);
        } catch (IOException e) {
            broken = e;
            throw e;
        }
        Place place = new Place(end, line.length);
        end += line.length;
        written = number;
        return place;
    }

    /** Returns when everything that was appended so far is on disk. */
    void sync() throws IOException {
        long mine = written;
        if (synced >= mine) return;
        syncing.lock();
        try {
            if (synced >= mine) return;
            refuseIfBroken();
            long all = written;
            file.getFD().sync();
            synced = all;
        } catch (IOException e) {
            broken = e;
            throw e;
        } finally {
            syncing.unlock();
        }
    }

    byte[] read(Place place) throws IOException {
        byte[] line = new byte[place.length()];
        file.seek(place.offset());
        file.readFully(line);
        RecordLine read = RecordLine.parse(line);
        if (read == null) throw new IOException(path + " cannot be read at byte " + place.offset() + ".");
        return read.payload();
    }

    long size() {
        return end;
    }

    /**
     * Writes a new file with these records only, and puts it in place of the old one.
     *
     * @param kept records of the old file
     * @param added what is written after them
     * @return where those that were kept are now; null when there was no room for a new file, and the old one stays
     */
    @Nullable
    List<Place> rewrite(List<Place> kept, List<byte[]> added) throws IOException {
        syncing.lock();
        try {
            refuseIfBroken();
            Path next = path.resolveSibling(path.getFileName() + ".new");
            List<Place> places = new ArrayList<>();
            LedgerFile fresh = written(next, kept, added, places);
            if (fresh == null) return null;
            try {
                Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                syncFolder(path);
            } catch (IOException e) {
                fresh.close();
                broken = e;
                throw e;
            }
            file.close();
            file = fresh.file;
            end = fresh.end;
            written = fresh.written;
            synced = fresh.written;
            return places;
        } finally {
            syncing.unlock();
        }
    }

    private @Nullable LedgerFile written(Path next, List<Place> kept, List<byte[]> added, List<Place> places) {
        LedgerFile fresh = null;
        try {
            Files.deleteIfExists(next);
            create(next);
            fresh = new LedgerFile(next, new RandomAccessFile(next.toFile(), "rw"));
            fresh.readTitle();
            for (Place place : kept) places.add(fresh.append(read(place)));
            for (byte[] payload : added) fresh.append(payload);
            fresh.file.getFD().sync();
            return fresh;
        } catch (IOException e) {
            if (fresh != null) fresh.close();
            return null;
        }
    }

    private static void syncFolder(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null) return;
        boolean interrupted = Thread.interrupted();
        while (!isSynced(folder)) interrupted |= Thread.interrupted();
        if (interrupted) Thread.currentThread().interrupt();
    }

    /** A folder can only be synced by a channel, which an interrupted thread closes. */
    private static boolean isSynced(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
            return true;
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    private void refuseIfBroken() throws IOException {
        IOException why = broken;
        if (why != null) throw new IOException(path + " could not be written before. Open it again.", why);
    }

    @Override
    public void close() {
        broken = new IOException("It is closed.");
        try {
            file.close();
        } catch (IOException e) {
            // Whatever was acknowledged is on disk.
        }
    }
}
