package dev.semel.torture.check;

import dev.semel.torture.history.Event;
import java.util.List;

/** How one key breaks one law. */
record Finding(String what, List<Event> events) {
    static Finding of(String what, Event... events) {
        return new Finding(what, List.of(events));
    }
}
