package dev.semel.torture.client;

import dev.semel.torture.history.Promise;
import java.util.List;
import java.util.Locale;

/** How clients come to Semel. The two doors have operations of their own, so a key belongs to one of them. */
public enum Door {
    GATEWAY(Promise.AT_MOST_ONCE, Promise.AT_MOST_ONCE_PROBED, Promise.AT_LEAST_ONCE),
    /** A service with the library in it, on a store that processes can share. */
    LIBRARY(Promise.AT_MOST_ONCE, Promise.AT_MOST_ONCE_PROBED, Promise.AT_LEAST_ONCE, Promise.JOINED);

    @SuppressWarnings("ImmutableEnumChecker") // A list that nobody can change.
    private final List<Promise> promises;

    Door(Promise... promises) {
        this.promises = List.of(promises);
    }

    List<Promise> promises() {
        return promises;
    }

    /** As it is written on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
    }
}
