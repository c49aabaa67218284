package dev.semel.core.claim;

/** Hears what happens. Called on the thread it happens on: be quick, and do not throw (what is thrown is dropped). */
@FunctionalInterface
public interface SemelListener {
    void on(SemelEvent event);
}
