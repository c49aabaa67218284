package dev.semel.messaging.broker;

import java.time.Duration;

/**
 * Where a relay sends messages. Safe for use by any thread.
 *
 * <p>The laws are checked for every broker by {@code BrokerContract} in the testkit.
 */
public interface Broker extends AutoCloseable {

    /**
     * Opens a way to send for whoever has just leased this shard. Where the broker can, nobody who leased the shard before can
     * send by their own publisher any more when this returns. May block, no longer than {@link #longestPublish}.
     *
     * @throws BrokerException when the broker cannot be reached now; it is tried again
     */
    Publisher open(ShardLease lease);

    /**
     * After how long {@link Publisher#publish} has returned, whatever the broker does. A relay whose leases are not longer than
     * this does not start: its successor would send while it still does.
     */
    Duration longestPublish();

    /** For logs and for operators: the kind of broker and where it is, without credentials. */
    String name();

    @Override
    void close();
}
