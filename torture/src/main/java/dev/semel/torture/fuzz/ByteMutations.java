package dev.semel.torture.fuzz;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;

/** Changes that know nothing of HTTP. */
final class ByteMutations {
    private static final byte[] NASTY = Draft.latin1("\0\1\t\n\r\u000b \"%,:;/\\?#{}\u007f\u0080\u00ff");

    private ByteMutations() {}

    static byte[] change(byte[] bytes, Random random) {
        if (bytes.length == 0) return bytes;
        int at = random.nextInt(bytes.length);
        int length = Math.min(bytes.length - at, 1 + random.nextInt(30));
        return switch (random.nextInt(7)) {
            case 0 -> flipped(bytes, at, random);
            case 1 -> Arrays.copyOf(bytes, at);
            case 2 -> spliced(bytes, at, at, new byte[] {NASTY[random.nextInt(NASTY.length)]});
            case 3 -> spliced(bytes, at, at + length, new byte[0]);
            case 4 -> spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, at + length));
            case 5 -> spliced(bytes, at, at + 1, new byte[] {NASTY[random.nextInt(NASTY.length)]});
            default -> spliced(bytes, at, at, noise(random));
        };
    }

    private static byte[] flipped(byte[] bytes, int at, Random random) {
        byte[] flipped = bytes.clone();
        flipped[at] ^= (byte) (1 << random.nextInt(8));
        return flipped;
    }

    private static byte[] noise(Random random) {
        byte[] noise = new byte[1 + random.nextInt(20)];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte[] instead) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, from);
        out.writeBytes(instead);
        out.write(bytes, to, bytes.length - to);
        return out.toByteArray();
    }
}
