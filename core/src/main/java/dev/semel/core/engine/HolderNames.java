package dev.semel.core.engine;

import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreLife;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;

/** Names that no other claim has, in this process or any other. */
final class HolderNames {
    private final String here;
    private final String remote;
    private final AtomicLong count = new AtomicLong();

    private HolderNames(KeyStore store) {
        byte[] random = new byte[12];
        new SecureRandom().nextBytes(random);
        StoreLife life = store.traits().life();
        this.remote = HexFormat.of().formatHex(random) + "-";
        this.here = life == null ? remote : life.holderPrefix() + remote;
    }

    static HolderNames on(KeyStore store) {
        return new HolderNames(store);
    }

    /** For a holder in this process. Where only this process has the store open, the name tells so. */
    String next() {
        return here + number();
    }

    /** For a holder that may outlive this process. */
    String nextRemote() {
        return remote + number();
    }

    private String number() {
        return Long.toString(count.incrementAndGet(), 36);
    }
}
