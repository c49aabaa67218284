package dev.semel.torture.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.Random;

/** HTTP/2 with prior knowledge, and what is only nearly that. */
final class Http2Frames {
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private Http2Frames() {}

    static byte[] garbled(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] preface = Draft.latin1(PREFACE);
        out.writeBytes(random.nextInt(5) == 0 ? ByteMutations.change(preface, random) : preface);
        if (random.nextInt(8) > 0) frame(out, 4, 0, 0, new byte[0]);
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            byte[] payload = new byte[random.nextInt(4) == 0 ? 8 : random.nextInt(60)];
            random.nextBytes(payload);
            frame(out, random.nextInt(11), random.nextInt(64), random.nextInt(8), payload);
        }
        return random.nextInt(3) == 0 ? ByteMutations.change(out.toByteArray(), random) : out.toByteArray();
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
