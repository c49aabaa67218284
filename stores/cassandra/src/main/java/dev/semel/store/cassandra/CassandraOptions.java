package dev.semel.store.cassandra;

import dev.semel.core.store.StoreTraits;
import java.time.Duration;

/**
 * How a {@link CassandraKeyStore} talks to its cluster. What a URL says wins.
 *
 * @param requestTimeout how long a call waits for its answer. Longer than the server's own patience with lightweight
 *     transactions ({@code cas_contention_timeout}, {@code write_request_timeout}), so that the server can say what happened
 * @param maxRequests how many requests of this process may be under way at once; more wait their turn, no longer than the
 *     request timeout
 * @param skew by how much the clocks of the clients and of Cassandra's nodes may differ from each other
 * @param consistency among which replicas a key is agreed upon
 */
public record CassandraOptions(Duration requestTimeout, int maxRequests, Duration skew, Consistency consistency) {

    /** Among which replicas a key is agreed upon; the same for all processes that share a keyspace. */
    public enum Consistency {
        /** All, in every data center: {@code SERIAL}. Right for every fleet; costs a trip between data centers. */
        GLOBAL,
        /** Those of the data center that {@code dc} names: {@code LOCAL_SERIAL}. All processes name the same one. */
        LOCAL
    }

    public static final CassandraOptions DEFAULT =
            new CassandraOptions(Duration.ofMillis(2500), 512, Duration.ofSeconds(10), Consistency.GLOBAL);

    public CassandraOptions {
        if (requestTimeout.compareTo(Duration.ofMillis(100)) < 0)
            throw new IllegalArgumentException("The request timeout is at least 100 ms, not " + requestTimeout);
        if (maxRequests < 1) throw new IllegalArgumentException("At least one request may run, not " + maxRequests);
        // The same bounds as in the traits, said where the mistake is made.
        StoreTraits.surviving(StoreTraits.Survives.NOTHING).withSkew(skew);
    }

    public CassandraOptions withRequestTimeout(Duration requestTimeout) {
        return new CassandraOptions(requestTimeout, maxRequests, skew, consistency);
    }

    public CassandraOptions withMaxRequests(int maxRequests) {
        return new CassandraOptions(requestTimeout, maxRequests, skew, consistency);
    }

    public CassandraOptions withSkew(Duration skew) {
        return new CassandraOptions(requestTimeout, maxRequests, skew, consistency);
    }

    public CassandraOptions withConsistency(Consistency consistency) {
        return new CassandraOptions(requestTimeout, maxRequests, skew, consistency);
    }
}
