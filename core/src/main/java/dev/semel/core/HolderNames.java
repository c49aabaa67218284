package dev.semel.core;

import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Names that no other claim has, in this process or any other. */
final class HolderNames {
    private final String process;
    private final AtomicLong count = new AtomicLong();

    HolderNames() {
        byte[] random = new byte[12];
        new SecureRandom().nextBytes(random);
        this.process = HexFormat.of().formatHex(random);
    }

    String next() {
        return process + "-" + Long.toString(count.incrementAndGet(), 36);
    }
}
