package dev.semel.cli;

import dev.semel.core.store.KeyStore;
import dev.semel.core.store.StoreException;
import dev.semel.gateway.StoreUrls;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.Quantities;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Opens a store, and waits for its database when that does not take connections yet, as when both start together. */
record StoreWait(Duration timeout) {
    private static final long PAUSE_NANOS = 250_000_000;

    static StoreWait of(String timeout) {
        try {
            return new StoreWait(Quantities.duration(timeout));
        } catch (IllegalArgumentException e) {
            throw new UsageProblem("--store-wait: " + e.getMessage());
        }
    }

    /** The store of a gateway, and with it the one before, if there is one. */
    KeyStore open(GatewayConfig config) {
        KeyStore store = open(config.store());
        if (config.storeBefore() == null) return store;
        KeyStore before = null;
        try {
            before = open(config.storeBefore());
            return StoreUrls.moving(store, before);
        } catch (RuntimeException e) {
            if (before != null) before.close();
            store.close();
            throw e;
        }
    }

    /** @throws StoreException when the database does not come up in time, or for a reason that time does not mend */
    KeyStore open(String url) {
        long began = System.nanoTime();
        boolean waiting = false;
        while (true) {
            try {
                KeyStore store = StoreUrls.open(url);
                if (waiting) System.err.println("semel: the database is there, after " + seconds(began) + " s");
                return store;
            } catch (IllegalArgumentException e) {
                throw new UsageProblem(String.valueOf(e.getMessage()));
            } catch (StoreException e) {
                if (!StoreUrls.isUnreachable(url, e) || System.nanoTime() - began >= timeout.toNanos()) throw e;
                if (!waiting)
                    System.err.println("semel: waiting up to " + timeout.toSeconds()
                            + " s for the database (--store-wait): " + e.getMessage());
                waiting = true;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static long seconds(long began) {
        return Duration.ofNanos(System.nanoTime() - began).toSeconds();
    }
}
