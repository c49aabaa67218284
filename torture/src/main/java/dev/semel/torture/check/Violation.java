package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import java.util.List;

/**
 * A law that was broken.
 *
 * @param law its sentence
 * @param key empty when it is about the history as a whole
 * @param what what happened instead, in words
 * @param events what shows it
 * @param history everything that is known of the key, by time
 */
public record Violation(String law, String key, String what, List<Event> events, List<Event> history) {

    @Override
    public String toString() {
        return law + (key.isEmpty() ? "" : " [" + key + "]") + ": " + what;
    }
}
