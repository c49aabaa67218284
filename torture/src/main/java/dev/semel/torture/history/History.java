package dev.semel.torture.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was seen in a run, in the order in which it was told.
 *
 * <p>Safe for use by any thread. To append takes a microsecond or so, now and then a few milliseconds. Twenty million events of a million
 * keys take some 500 MB of heap; they are kept as bytes, and become objects only while they are looked at. With a file, what was
 * appended is in it a second later at most while others are appended, and all of it when {@link #close} returns.
 *
 * <p>A call is {@linkplain Event.Sent sent} before it ends, here too: append the one before the request leaves.
 */
public final class History implements AutoCloseable {
    private static final int BLOCK_BYTES = 1 << 18;
    private static final long LONGEST_UNWRITTEN_NANOS = 1_000_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final StringTable names = new StringTable();
    private final EventCodec codec = new EventCodec(names);
    private final List<byte[]> blocks = new ArrayList<>();
    private final ByteSink current = new ByteSink();
    private final @Nullable HistoryFile file;
    private int size;
    private long writtenAt = System.nanoTime();

    /** In memory only. */
    public History() {
        this.file = null;
    }

    private History(HistoryFile file) {
        this.file = file;
    }

    /** Also writes what is appended to this file, which must not be there yet. */
    public static History recording(Path path) throws IOException {
        return new History(new HistoryFile(path));
    }

    /** What was written by {@link #recording}, also by a run that died: then up to where it is whole. */
    public static History read(Path path) throws IOException {
        History history = new History();
        HistoryFile.read(path, history::learn);
        return history;
    }

    private void learn(byte[] block) {
        blocks.add(block);
        for (ByteSource in = new ByteSource(block, 0); in.hasMore(); ) if (codec.read(in, true) != null) size++;
    }

    /** @throws UncheckedIOException when the file cannot be written: a run without a history proves nothing */
    public void append(Event event) {
        lock.lock();
        try {
            codec.write(event, current);
            size++;
            if (current.size() >= BLOCK_BYTES || isDue()) seal();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private boolean isDue() {
        return file != null && System.nanoTime() - writtenAt > LONGEST_UNWRITTEN_NANOS;
    }

    private void seal() throws IOException {
        if (current.size() == 0) return;
        byte[] block = current.take();
        blocks.add(block);
        if (file == null) return;
        file.write(block);
        writtenAt = System.nanoTime();
    }

    /** How many events there are. */
    public int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    /** Shows every event, in the order in which they were appended. Nothing can be appended meanwhile. */
    public void forEach(Consumer<Event> look) {
        visit((event, block, offset) -> look.accept(event));
    }

    /** Shows what is known of each key, key by key, in the order in which they first appeared. For when the run is over. */
    public void forEachKey(Consumer<KeyHistory> look) {
        new KeyIndex(this).forEach(look);
    }

    /** What cannot be: the end of a call that nobody sent, or a call with the number of another. */
    public List<Event> strays() {
        return new KeyIndex(this).strays();
    }

    @FunctionalInterface
    interface Visitor {
        void visit(Event event, int block, int offset);
    }

    void visit(Visitor visitor) {
        lock.lock();
        try {
            seal();
            for (int i = 0; i < blocks.size(); i++) visit(i, visitor);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    private void visit(int block, Visitor visitor) {
        ByteSource in = new ByteSource(blocks.get(block), 0);
        while (in.hasMore()) {
            int offset = in.position();
            Event event = codec.read(in, false);
            if (event != null) visitor.visit(event, block, offset);
        }
    }

    @Nullable
    Event at(int block, int offset) {
        return codec.read(new ByteSource(blocks.get(block), offset), false);
    }

    int nameOf(String text) {
        return names.find(text);
    }

    int nameCount() {
        return names.count();
    }

    /** When it returns, everything is in the file. What was appended can still be looked at. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            seal();
            if (file != null) file.close();
        } finally {
            lock.unlock();
        }
    }
}
