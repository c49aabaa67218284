package dev.semel.bench.loop;

/** What is measured. Called by many threads at once. */
@FunctionalInterface
public interface Operation {
    /** Does it once, for this number, which comes again only when the loop is told to repeat. Throws when it went wrong. */
    void run(long number) throws Exception;
}
