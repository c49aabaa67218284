package dev.semel.torture.ledger;

import dev.semel.torture.history.Event;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * The lines of a ledger. What was appended survives the death of the process: it is with the system by then. The machine
 * itself does not die in a run.
 */
public final class LedgerFile implements AutoCloseable {
    private final FileChannel channel;

    private LedgerFile(FileChannel channel) {
        this.channel = channel;
    }

    /** Goes on in a line of its own, should the last one have been cut off. */
    static LedgerFile append(Path file) throws IOException {
        LedgerFile lines = new LedgerFile(FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        if (lines.channel.size() > 0) lines.channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
        return lines;
    }

    synchronized void add(Entry entry) throws IOException {
        ByteBuffer line = ByteBuffer.wrap(entry.line().getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) channel.write(line);
    }

    static void read(Path file, Consumer<Entry> reader) throws IOException {
        if (!Files.exists(file)) return;
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line; (line = lines.readLine()) != null; ) {
                Entry entry = Entry.parse(line);
                if (entry != null) reader.accept(entry);
            }
        }
    }

    /** Everything that the service was asked to do, in the order in which it decided. */
    public static void events(Path file, Consumer<Event.Effect> reader) throws IOException {
        read(file, entry -> reader.accept(entry.event()));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
