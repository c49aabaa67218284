package dev.semel.examples.payments;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.function.Consumer;

/** The file of a ledger: one line of JSON per charge. Not safe for use by several threads. */
final class LedgerFile implements AutoCloseable {
    private static final String NAME = "charges.jsonl";

    /** Not a channel: an interrupt of one writer would close it for all. */
    private final FileOutputStream out;

    private boolean broken;

    private LedgerFile(FileOutputStream out) {
        this.out = out;
    }

    /** Hands over what is in the file, then opens it for more. */
    static LedgerFile open(Path folder, Consumer<Charge> found) throws IOException {
        Path path = Files.createDirectories(folder).resolve(NAME);
        if (Files.exists(path)) {
            cutTornLine(path);
            for (String line : Files.readAllLines(path)) found.accept(ChargeJson.readCharge(line.getBytes(UTF_8)));
        }
        return new LedgerFile(new FileOutputStream(path.toFile(), true));
    }

    /** A crash in the middle of a line left a charge that nobody was told of. */
    private static void cutTornLine(Path path) throws IOException {
        byte[] all = Files.readAllBytes(path);
        int end = all.length;
        while (end > 0 && all[end - 1] != '\n') end--;
        if (end == all.length) return;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            channel.truncate(end).force(true);
        }
    }

    /** Adds a line and forces it to disk. */
    void append(Charge charge) throws IOException {
        if (broken) throw new IOException("An earlier entry of the ledger could not be written.");
        byte[] json = ChargeJson.charge(charge);
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        broken = true;
        out.write(line);
        out.getFD().sync();
        broken = false;
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
