package dev.semel.core.engine;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.time.EngineTime;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/** The leases held in this process. Renews those whose operation takes long. */
public final class HeldLeases implements AutoCloseable {
    private static final long TICK_NANOS = 50_000_000;

    private final ConcurrentHashMap<KeyId, HeldLease> held = new ConcurrentHashMap<>();
    private final SemelListener listener;
    private final EngineTime time;
    private final Thread thread;
    private volatile boolean closed;

    public HeldLeases(SemelListener listener, EngineTime time) {
        this.listener = listener;
        this.time = time;
        this.thread = Thread.ofPlatform().daemon().name("semel-renewals").start(this::run);
    }

    void add(HeldLease lease) {
        held.put(lease.id(), lease);
    }

    /** The attempt is over. Its key may be another attempt's by now: that one stays. */
    void remove(HeldLease lease) {
        held.remove(lease.id(), lease);
    }

    /** Whether news of this key will come from this process itself. */
    public boolean isHeldHere(KeyId id) {
        HeldLease lease = held.get(id);
        return lease != null && !lease.isLost();
    }

    /** Whether the very attempt of this record is still at work in this process, whatever clocks say of its lease. */
    public boolean isAtWorkOn(KeyRecord record) {
        HeldLease lease = held.get(record.id());
        return lease != null && lease.token() == record.token();
    }

    public int size() {
        return held.size();
    }

    private void run() {
        while (!closed) {
            long now = time.nanos();
            for (HeldLease lease : held.values()) {
                if (lease.beginRenewal(now))
                    Thread.ofVirtual().name("semel-renew").start(() -> renew(lease));
            }
            time.parkUntil(now + TICK_NANOS);
        }
    }

    private void renew(HeldLease lease) {
        try {
            lease.renew();
            if (lease.isLost()) listener.on(new SemelEvent.LeaseLost(lease.id(), lease.token()));
        } catch (RuntimeException e) {
            listener.on(new SemelEvent.RenewalFailed(lease.id(), lease.token(), e));
        } finally {
            // The next one may be due already, if time has passed meanwhile.
            LockSupport.unpark(thread);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        for (HeldLease lease : held.values())
            if (!lease.isSettled())
                listener.on(new SemelEvent.LeftBehind(
                        lease.id(), lease.token(), "what became of it", "its operation was still running"));
    }
}
