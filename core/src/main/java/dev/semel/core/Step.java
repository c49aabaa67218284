package dev.semel.core;

import dev.semel.core.claim.Lease;

/** One step of an operation, or what undoes it, on its way: what it needs to be safe further down. */
public final class Step {
    private final Lease lease;
    private final String name;
    private final String downstreamKey;

    Step(Lease lease, String name, String downstreamKey) {
        this.lease = lease;
        this.name = name;
        this.downstreamKey = downstreamKey;
    }

    public String name() {
        return name;
    }

    /**
     * A key for the service behind, of this step alone: the same in every run of the operation and in every process. A
     * step that was cut off by a crash runs again with the same key. A UUID of version 5.
     */
    public String downstreamKey() {
        return downstreamKey;
    }

    /** The fencing token of this run of the operation; higher than those of all runs before. */
    public long token() {
        return lease.token();
    }

    /** Whether the key is certainly still this run's. To be asked again right before a part that takes effect late. */
    public boolean isStillHeld() {
        return lease.isSurelyHeld();
    }

    /**
     * What a step does.
     *
     * @param <X> what it throws; RuntimeException when nothing checked
     */
    @FunctionalInterface
    public interface Effect<V, X extends Exception> {
        V run(Step step) throws X;
    }

    /** What undoes a finished step, when the operation cannot go on. It is run until it ends without an exception. */
    @FunctionalInterface
    public interface Compensation<V> {
        /** @param value what the step gave */
        void run(V value, Step step) throws Exception;
    }
}
