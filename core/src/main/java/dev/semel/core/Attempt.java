package dev.semel.core;

import dev.semel.core.claim.Lease;

/** One run of an {@link Effect}: what it needs to be safe further down. */
public final class Attempt {
    private final Lease lease;
    private final Codec<?> codec;
    private final StepLog steps;

    Attempt(Lease lease, Codec<?> codec, StepLog steps) {
        this.lease = lease;
        this.codec = codec;
        this.steps = steps;
    }

    /** The key that the operation was asked for with. */
    public String key() {
        return lease.id().key();
    }

    /** The fencing token: grows with every run of the same key. Whatever checks it refuses the late words of a dead run. */
    public long token() {
        return lease.token();
    }

    /** 1 for the first run of the key. */
    public int number() {
        return lease.attempt();
    }

    /** Whether the key is certainly still this run's. To be asked again right before a part that takes effect late. */
    public boolean isStillHeld() {
        return lease.isSurelyHeld();
    }

    /**
     * A key for another service, derived from this operation, its key and that name: the same in every run, and in every
     * process. A UUID of version 5.
     */
    public String downstreamKey(String service) {
        return StableKeys.of(lease.id(), service);
    }

    /**
     * Runs a step of the operation, or gives what an earlier run of the operation got from it: what a step gives is recorded
     * durably with the key before this returns. After a crash the next run goes on with the first step that is not
     * recorded, which runs with the same {@linkplain Step#downstreamKey downstream key} as before and a higher token.
     *
     * <p>For operations that run again after a crash: {@link Operation#withGuarantee at least once}. What all steps give may
     * have 16 KiB together. Call steps one after another, each by its own name.
     *
     * @param type what the step gives; read and written as the operation's own codec does, so JSON where that is JSON
     * @throws X what the effect throws; the step is not finished then
     */
    public <V, X extends Exception> V step(String name, Class<V> type, Step.Effect<V, X> effect) throws X {
        return steps.step(name, codec.forType(type), effect, null);
    }

    /**
     * The same with what undoes it: when the operation ends with a {@linkplain FailurePolicy#permanent permanent}
     * failure, the compensations of all finished steps are run, the latest first, each until it has ended without an
     * exception once. After that the failure is the outcome.
     */
    public <V, X extends Exception> V step(
            String name, Class<V> type, Step.Effect<V, X> effect, Step.Compensation<V> compensation) throws X {
        return steps.step(name, codec.forType(type), effect, compensation);
    }

    /** A step that gives nothing. */
    public <X extends Exception> void step(String name, Action<X> action) throws X {
        steps.step(
                name,
                Codec.bytes(),
                step -> {
                    action.run(step);
                    return new byte[0];
                },
                null);
    }

    /** What was asked for, as it was kept with the key. */
    <R> R request(Codec<R> requests) {
        return steps.request(requests);
    }

    /** What a step does that gives nothing. */
    @FunctionalInterface
    public interface Action<X extends Exception> {
        void run(Step step) throws X;
    }
}
