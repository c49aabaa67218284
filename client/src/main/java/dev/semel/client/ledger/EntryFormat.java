package dev.semel.client.ledger;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the records of a {@link FileLedger} say, as bytes. */
final class EntryFormat {
    private EntryFormat() {}

    sealed interface Event {}

    record Remembered(Entry.Pending entry) implements Event {}

    record Attempted(String intent, int attempts, Instant firstSentAt) implements Event {}

    record Settled(Entry.Settled entry) implements Event {}

    record Removed(String intent) implements Event {}

    static byte[] encode(Event event) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            switch (event) {
                case Remembered(Entry.Pending it) -> pending(it, out);
                case Attempted it -> {
                    out.writeByte('A');
                    text(it.intent(), out);
                    out.writeInt(it.attempts());
                    instant(it.firstSentAt(), out);
                }
                case Settled(Entry.Settled it) -> settled(it, out);
                case Removed it -> {
                    out.writeByte('D');
                    text(it.intent(), out);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }

    private static void pending(Entry.Pending entry, DataOutputStream out) throws IOException {
        out.writeByte('R');
        text(entry.intent(), out);
        text(entry.key(), out);
        text(entry.call().method(), out);
        text(entry.call().uri().toString(), out);
        text(HeaderText.format(entry.call().headers()), out);
        bytes(entry.call().body(), out);
        instant(entry.rememberedAt(), out);
        instant(entry.deadline(), out);
        out.writeInt(entry.attempts());
        instant(entry.firstSentAt(), out);
    }

    private static void settled(Entry.Settled entry, DataOutputStream out) throws IOException {
        out.writeByte('S');
        text(entry.intent(), out);
        text(entry.key(), out);
        bytes(entry.digest(), out);
        instant(entry.settledAt(), out);
        Response response = entry.response();
        out.writeInt(response.status());
        text(HeaderText.format(response.headers()), out);
        bytes(response.body(), out);
        out.writeBoolean(response.whole());
    }

    static Event decode(byte[] payload) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(payload));
        int kind = in.readByte();
        return switch (kind) {
            case 'R' ->
                new Remembered(new Entry.Pending(
                        text(in),
                        text(in),
                        new Call(text(in), URI.create(text(in)), HeaderText.parse(text(in)), bytes(in)),
                        certain(instant(in)),
                        certain(instant(in)),
                        in.readInt(),
                        instant(in)));
            case 'A' -> new Attempted(text(in), in.readInt(), certain(instant(in)));
            case 'S' ->
                new Settled(new Entry.Settled(
                        text(in),
                        text(in),
                        bytes(in),
                        certain(instant(in)),
                        new Response(in.readInt(), HeaderText.parse(text(in)), bytes(in), in.readBoolean())));
            case 'D' -> new Removed(text(in));
            default -> throw new IOException("A record of a kind that is not known here: " + kind + ".");
        };
    }

    private static void text(String text, DataOutputStream out) throws IOException {
        bytes(text.getBytes(StandardCharsets.UTF_8), out);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(bytes(in), StandardCharsets.UTF_8);
    }

    private static void bytes(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) throw new IOException("A length that cannot be: " + length + ".");
        return in.readNBytes(length);
    }

    private static void instant(@Nullable Instant instant, DataOutputStream out) throws IOException {
        out.writeBoolean(instant != null);
        if (instant == null) return;
        out.writeLong(instant.getEpochSecond());
        out.writeInt(instant.getNano());
    }

    private static @Nullable Instant instant(DataInputStream in) throws IOException {
        return in.readBoolean() ? Instant.ofEpochSecond(in.readLong(), in.readInt()) : null;
    }

    private static Instant certain(@Nullable Instant instant) throws IOException {
        if (instant == null) throw new IOException("A time is missing.");
        return instant;
    }
}
