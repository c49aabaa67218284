package dev.semel.http;

/** What the guard says to a request before anything is sent. */
public sealed interface Entrance {

    /** It does not run: this is its answer. */
    record Answered(HttpResponse response, Ending ending) implements Entrance {}

    /** It may run. */
    record Open(Passage passage) implements Entrance {}
}
