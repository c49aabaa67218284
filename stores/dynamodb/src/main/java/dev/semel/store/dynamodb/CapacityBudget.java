package dev.semel.store.dynamodb;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** So many capacity units a second. What was used too much at once is made up for by a pause. For one thread at a time. */
final class CapacityBudget {
    private final double unitsPerSecond;
    private final LongSupplier nanos;
    private long openAt;

    CapacityBudget(int unitsPerSecond, LongSupplier nanos) {
        this.unitsPerSecond = unitsPerSecond;
        this.nanos = nanos;
        this.openAt = nanos.getAsLong();
    }

    boolean isOpen() {
        return unitsPerSecond > 0 && nanos.getAsLong() - openAt >= 0;
    }

    void use(double units) {
        long now = nanos.getAsLong();
        long from = openAt - now > 0 ? openAt : now;
        openAt = from + (long) (units / unitsPerSecond * TimeUnit.SECONDS.toNanos(1));
    }
}
