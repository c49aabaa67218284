package dev.semel.core.engine;

import dev.semel.core.claim.SemelEvent;
import dev.semel.core.claim.SemelListener;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.time.EngineTime;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The leases held in this process. Renews those whose operation takes long. */
public final class HeldLeases {
    private static final long TICK_NANOS = 50_000_000;

    private final ConcurrentHashMap<KeyId, HeldLease> held = new ConcurrentHashMap<>();
    private final SemelListener listener;
    private final EngineTime time;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable Thread closing;

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
        Thread waiting = closing;
        if (waiting != null) LockSupport.unpark(waiting);
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

    /** Waits until then for the store to take what holders have said already. */
    public void awaitSettled(long untilNanos) {
        Thread self = Thread.currentThread();
        closing = self;
        while (time.nanos() - untilNanos < 0 && held.values().stream().anyMatch(HeldLease::isSettled)) {
            if (self.isInterrupted()) return;
            time.parkUntil(untilNanos);
        }
    }

    /**
     * Ends renewal, and says what is left behind.
     *
     * @param told keys of which that was said already
     */
    public void close(Set<KeyId> told) {
        closed = true;
        LockSupport.unpark(thread);
        for (HeldLease lease : held.values())
            if (!told.contains(lease.id()))
                listener.on(new SemelEvent.LeftBehind(
                        lease.id(),
                        lease.token(),
                        "what became of it",
                        lease.isSettled()
                                ? "the store did not take it before the end"
                                : "its operation was still running"));
    }
}
