package dev.semel.core;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** Knows the leases held in this process, and renews those whose operation takes long. */
final class LeaseKeeper implements AutoCloseable {
    private static final long TICK_NANOS = 50_000_000;

    private final ConcurrentHashMap<KeyId, Lease> held = new ConcurrentHashMap<>();
    private final SemelListener listener;
    private final Thread thread;
    private volatile boolean closed;

    LeaseKeeper(SemelListener listener) {
        this.listener = listener;
        this.thread = Thread.ofPlatform().daemon().name("semel-lease-keeper").start(this::run);
    }

    void add(Lease lease) {
        held.put(lease.id(), lease);
    }

    /** The attempt is over. Its key may be another attempt's by now: that one stays. */
    void remove(Lease lease) {
        held.remove(lease.id(), lease);
        lease.giveBackPermit();
    }

    /** Whether news of this key will come from this process itself. */
    boolean isHeldHere(KeyId id) {
        Lease lease = held.get(id);
        return lease != null && !lease.isLost();
    }

    /** Whether the very attempt of this record is still at work in this process, whatever clocks say of its lease. */
    boolean isAtWorkOn(KeyRecord record) {
        Lease lease = held.get(record.id());
        return lease != null && lease.token() == record.token();
    }

    int size() {
        return held.size();
    }

    private void run() {
        while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            for (Lease lease : held.values()) {
                if (lease.beginRenewal(now))
                    Thread.ofVirtual().name("semel-renew").start(() -> renew(lease));
            }
        }
    }

    private void renew(Lease lease) {
        try {
            lease.renew();
            if (lease.isLost()) listener.on(new SemelEvent.LeaseLost(lease.id(), lease.token()));
        } catch (RuntimeException e) {
            listener.on(new SemelEvent.RenewalFailed(lease.id(), lease.token(), e));
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        for (Lease lease : held.values())
            if (!lease.isSettled())
                listener.on(new SemelEvent.LeftBehind(
                        lease.id(), lease.token(), "what became of it", "its operation was still running"));
    }
}
