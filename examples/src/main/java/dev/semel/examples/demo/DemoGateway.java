package dev.semel.examples.demo;

import java.net.URI;

/** What stands in front of the payment service on Semel's side. */
public interface DemoGateway {
    /** Where customers connect to; the same after a restart. */
    URI url();

    /** Where operators connect to. */
    URI adminUrl();

    /** Whether it takes requests. */
    boolean isUp();

    /** Ends it as a crash would, without a last word, and begins to start it again; does not wait for that. */
    void kill();

    /** What is known about doubts so far. */
    Doubts doubts();

    /**
     * Payments of which only the service behind knows whether they happened.
     *
     * @param begun all of them, ever
     * @param endedByProbe because the gateway asked the service
     * @param open not ended yet
     */
    record Doubts(long begun, long endedByProbe, long open) {
        public static final Doubts NONE = new Doubts(0, 0, 0);
    }
}
