package dev.semel.examples.clients;

import java.io.IOException;
import java.net.URI;

/** An HTTP client as it comes, with nothing configured but what its name says. */
interface Client extends AutoCloseable {
    /**
     * One POST with a body and a key.
     *
     * @return the status of the answer
     * @throws IOException when there is none
     */
    int post(URI uri, String key) throws IOException;

    /** Two of them, one after the other on one connection. @return the status of the second */
    default int postTwice(URI uri, String key) throws IOException {
        post(uri, "first-" + key);
        return post(uri, key);
    }

    @Override
    default void close() throws IOException {}
}
