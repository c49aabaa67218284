package dev.semel.torture.nemesis;

import dev.semel.torture.RunClock;
import dev.semel.torture.history.Event;
import dev.semel.torture.system.Store;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** Notes when replicas of the store have taken over, whoever made them: what was acknowledged just before may be lost. For one thread. */
public final class FailOverWatch {
    private final Store store;
    private final RunClock clock;
    private final Consumer<Event> events;
    private List<String> masters;
    private long lookedAt;

    public FailOverWatch(Store store, RunClock clock, Consumer<Event> events) throws IOException {
        this.store = store;
        this.clock = clock;
        this.events = events;
        this.lookedAt = clock.now();
        this.masters = store.masters();
    }

    /** For when nothing of the store is broken. */
    public void look() throws IOException {
        List<String> now = store.masters();
        long at = clock.now();
        for (int i = 0; i < now.size(); i++)
            if (!now.get(i).equals(masters.get(i)))
                events.accept(new Event.Fault(
                        lookedAt,
                        at,
                        Event.Fault.FAIL_OVER,
                        store.servers().get(i).name()));
        masters = now;
        lookedAt = at;
    }
}
