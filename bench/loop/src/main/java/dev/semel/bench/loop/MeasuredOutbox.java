package dev.semel.bench.loop;

/** An outbox with whatever sends its messages, which says of each that the broker has it. Called by many threads at once. */
@FunctionalInterface
public interface MeasuredOutbox {
    /** Appends so many {@linkplain Orders messages}, numbered from this one on, in one transaction, and commits it. */
    void append(long first, int messages) throws Exception;
}
