package dev.semel.http;

/** What goes back to the client, now that it may. */
public sealed interface Reply<B> {
    Ending ending();

    record Whole<B>(HttpResponse response, Ending ending) implements Reply<B> {
        /** A problem, or an answer that the upstream has just given. */
        public Whole(HttpResponse response) {
            this(response, response.problem() == null ? Ending.FRESH : Ending.PROBLEM);
        }
    }

    /** The head, and a body that is passed on as it comes. */
    record Streaming<B>(int status, Headers headers, B body, Ending ending) implements Reply<B> {}
}
