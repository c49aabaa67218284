package dev.semel.torture.client;

import dev.semel.torture.ledger.LedgerServer;
import dev.semel.torture.library.LibraryShop;

/** The three routes of the gateways; a service with the library has the same, and one more. Everything is short, so that many leases run out in a run. */
public final class Routes {
    static final String ONCE = LibraryShop.ONCE;
    static final String PROBED = LibraryShop.PROBED;
    static final String REPEATABLE = LedgerServer.REPEATABLE;

    private Routes() {}

    /**
     * A part of a configuration. A probe is believed only after a time in which every request under way has arrived or
     * never will.
     *
     * @param settings lines of their own, of what else the store needs
     */
    public static String yaml(String store, String settings, int upstreamPort) {
        return """
            store: '%s'
            %s\
            upstream: { url: http://127.0.0.1:%d, connect-timeout: 500ms, timeout: 1s }
            routes:
              - match: POST %s
                key: required
                guarantee: at-most-once
                in-flight: wait 500ms
                lease: 2s
              - match: POST %s
                key: required
                guarantee: at-most-once
                in-flight: wait 500ms
                lease: 2s
                probe:
                  get: "%s{key}"
                  found: 200
                  absent: 404
                  status: 201
                  after: 4s
                  timeout: 1s
                  back-off: 200ms
                  longest-back-off: 1s
              - match: POST %s
                key: required
                guarantee: at-least-once
                in-flight: wait 500ms
                lease: 2s
            """.formatted(store, settings, upstreamPort, ONCE, PROBED, LedgerServer.PROBE, REPEATABLE);
    }
}
