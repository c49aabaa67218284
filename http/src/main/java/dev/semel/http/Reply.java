package dev.semel.http;

/** What goes back to the client, now that it may. */
public sealed interface Reply<B> {

    record Whole<B>(HttpResponse response) implements Reply<B> {}

    /** The head, and a body that is passed on as it comes. */
    record Live<B>(int status, Headers headers, B body) implements Reply<B> {}
}
