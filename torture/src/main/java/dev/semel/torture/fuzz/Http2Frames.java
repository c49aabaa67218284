package dev.semel.torture.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/** HTTP/2 with prior knowledge, and what is only nearly that. */
final class Frames {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private Frames() {}

    static byte[] garbled(Random luck) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] preface = Draft.latin1(PREFACE);
        out.writeBytes(luck.nextInt(5) == 0 ? ByteMutations.change(preface, luck) : preface);
        if (luck.nextInt(8) > 0) frame(out, 4, 0, 0, new byte[0]);
        int count = luck.nextInt(12);
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[luck.nextInt(4) == 0 ? 8 : luck.nextInt(60)];
            luck.nextBytes(payload);
            frame(out, luck.nextInt(11), luck.nextInt(64), luck.nextInt(8), payload);
        }
        return luck.nextInt(3) == 0 ? ByteMutations.change(out.toByteArray(), luck) : out.toByteArray();
    }

    private static void frame(ByteArrayOutputStream out, int type, int flags, int stream, byte[] payload) {
        out.write(payload.length >> 16);
        out.write(payload.length >> 8);
        out.write(payload.length);
        out.write(type);
        out.write(flags);
        for (int shift = 24; shift >= 0; shift -= 8) out.write(stream >> shift);
        out.writeBytes(payload);
    }
}
