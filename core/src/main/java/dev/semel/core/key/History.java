package dev.semel.core.key;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened to a key beyond its plain life: doubts, probes, late answers, what an operator said. Written together
 * with the change it tells of, so that neither is ever there without the other. Most keys have none.
 *
 * <p>Bounded: the first remarks stay, then the oldest of the others give way; long texts are cut.
 */
public final class History {
    public static final History NONE = new History(List.of());

    private static final int FORMAT = 1;
    private static final int MOST = 40;
    private static final int FIRST_KEPT = 8;
    private static final int LONGEST_NAME = 60;
    private static final int LONGEST_TEXT = 300;

    /** @param at by the clock of whoever wrote it; the order of the remarks is that of the writes */
    public record Remark(Instant at, String by, String what) {}

    private final List<Remark> remarks;

    private History(List<Remark> remarks) {
        this.remarks = remarks;
    }

    public List<Remark> remarks() {
        return remarks;
    }

    public boolean isEmpty() {
        return remarks.isEmpty();
    }

    /** This history and one remark more. */
    public History with(Instant at, String by, String what) {
        List<Remark> longer = new ArrayList<>(remarks);
        if (longer.size() == MOST) longer.remove(FIRST_KEPT);
        Instant whole = Instant.ofEpochMilli(at.toEpochMilli());
        longer.add(new Remark(whole, cut(by, LONGEST_NAME), cut(what, LONGEST_TEXT)));
        return new History(List.copyOf(longer));
    }

    private static String cut(String text, int longest) {
        String shorter = text.length() > longest ? text.substring(0, longest - 1) + "…" : text;
        return new String(shorter.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8).replace('\0', '\uFFFD');
    }

    /** As stores keep it; no bytes at all for no remarks. */
    public byte[] bytes() {
        if (remarks.isEmpty()) return new byte[0];
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeByte(remarks.size());
            for (Remark remark : remarks) {
                out.writeLong(remark.at().toEpochMilli());
                out.writeUTF(remark.by());
                out.writeUTF(remark.what());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }

    /**
     * Reads back what {@link #bytes()} gave.
     *
     * @throws IllegalArgumentException when these bytes are anything else
     */
    public static History ofBytes(byte[] bytes) {
        if (bytes.length == 0) return NONE;
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int format = in.readUnsignedByte();
            if (format != FORMAT) throw new IllegalArgumentException("a history has format " + format);
            List<Remark> remarks = new ArrayList<>();
            for (int left = in.readUnsignedByte(); left > 0; left--)
                remarks.add(new Remark(Instant.ofEpochMilli(in.readLong()), in.readUTF(), in.readUTF()));
            return new History(List.copyOf(remarks));
        } catch (IOException e) {
            throw new IllegalArgumentException("a history is damaged", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof History that && remarks.equals(that.remarks);
    }

    @Override
    public int hashCode() {
        return remarks.hashCode();
    }

    @Override
    public String toString() {
        return remarks.toString();
    }
}
