package dev.semel.torture.history;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A history on disk: a line that says what it is, then blocks of records, each with its length, its length unpacked, its CRC-32, and its
 * bytes deflated.
 *
 * <p>Binary, for a run has millions of events and JSON lines take five times the room and the time; in blocks, so that whatever was
 * written before the run died can be read: a block that is cut off is the end, and everything before it is whole. It is not forced to
 * disk: a history must outlive its process, not the machine.
 */
final class HistoryFile implements AutoCloseable {
    private static final byte[] FIRST_LINE = "semel history 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_BLOCK = 1 << 28;

    private final OutputStream out;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

    HistoryFile(Path path) throws IOException {
        out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        out.write(FIRST_LINE);
    }

    /** When it returns, the block is with the system. */
    void write(byte[] block) throws IOException {
        byte[] packed = deflated(block);
        ByteBuffer framed = ByteBuffer.allocate(16 + packed.length);
        framed.putInt(packed.length).putInt(block.length).putLong(crc(block)).put(packed);
        out.write(framed.array());
    }

    private byte[] deflated(byte[] block) {
        deflater.reset();
        deflater.setInput(block);
        deflater.finish();
        byte[] packed = new byte[block.length + block.length / 8 + 64];
        int size = deflater.deflate(packed);
        if (!deflater.finished()) throw new IllegalStateException("Deflated, it would be larger by an eighth.");
        return Arrays.copyOf(packed, size);
    }

    private static long crc(byte[] block) {
        CRC32 crc = new CRC32();
        crc.update(block);
        return crc.getValue();
    }

    /** Gives the blocks that are whole, in order. */
    static void read(Path path, Consumer<byte[]> blocks) throws IOException {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(path), 1 << 16))) {
            if (!Arrays.equals(in.readNBytes(FIRST_LINE.length), FIRST_LINE))
                throw new IOException(path + " is not a history of this version");
            while (true) blocks.accept(next(in, path));
        } catch (EOFException end) {
            // Where the run ended, or was cut off.
        }
    }

    private static byte[] next(DataInputStream in, Path path) throws IOException {
        int packedSize = in.readInt();
        int size = in.readInt();
        long crc = in.readLong();
        if (packedSize < 0 || size < 0 || packedSize > LARGEST_BLOCK || size > LARGEST_BLOCK)
            throw new IOException(path + " is damaged");
        byte[] packed = new byte[packedSize];
        in.readFully(packed);
        byte[] block = inflated(packed, size, path);
        if (crc(block) != crc) throw new IOException(path + " is damaged");
        return block;
    }

    private static byte[] inflated(byte[] packed, int size, Path path) throws IOException {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            byte[] block = new byte[size];
            if (inflater.inflate(block) != size) throw new IOException(path + " is damaged");
            return block;
        } catch (DataFormatException e) {
            throw new IOException(path + " is damaged", e);
        } finally {
            inflater.end();
        }
    }

    @Override
    public void close() throws IOException {
        deflater.end();
        out.close();
    }
}
