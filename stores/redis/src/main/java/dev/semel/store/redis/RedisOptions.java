package dev.semel.store.redis;

import io.lettuce.core.ClientOptions;
import java.time.Duration;

/**
 * How a {@link RedisKeyStore} talks to its servers.
 *
 * @param connectTimeout how long it may take to reach a server, and then again to sign in to it
 * @param timeout how long a server may take to answer. A call takes no longer than these two together, in a cluster that is
 *     moving slots a second more
 * @param largestOutcome how many bytes of an outcome it keeps. All callers share a connection: while a large one is on its way,
 *     others wait
 * @param client what the driver needs beside: certificates, keep-alive. How it connects, reconnects and queues is the
 *     store's own
 */
public record RedisOptions(Duration connectTimeout, Duration timeout, long largestOutcome, ClientOptions client) {
    /** Unless it is said otherwise. A constant, so that whoever only asks for it needs no driver. */
    static final long LARGEST_OUTCOME = 16 << 20;

    private static final long MOST_BYTES = 256L << 20;

    public static final RedisOptions DEFAULT =
            new RedisOptions(Duration.ofSeconds(1), Duration.ofSeconds(2), LARGEST_OUTCOME, ClientOptions.create());

    public RedisOptions {
        if (connectTimeout.toMillis() < 50 || timeout.toMillis() < 50)
            throw new IllegalArgumentException("A timeout is at least 50 ms: " + connectTimeout + ", " + timeout);
        if (largestOutcome < 256 || largestOutcome > MOST_BYTES)
            throw new IllegalArgumentException(
                    "The largest outcome has 256 to " + MOST_BYTES + " bytes, not " + largestOutcome + ".");
    }

    public RedisOptions withConnectTimeout(Duration connectTimeout) {
        return new RedisOptions(connectTimeout, timeout, largestOutcome, client);
    }

    public RedisOptions withTimeout(Duration timeout) {
        return new RedisOptions(connectTimeout, timeout, largestOutcome, client);
    }

    public RedisOptions withLargestOutcome(long bytes) {
        return new RedisOptions(connectTimeout, timeout, bytes, client);
    }

    public RedisOptions withClient(ClientOptions client) {
        return new RedisOptions(connectTimeout, timeout, largestOutcome, client);
    }
}
