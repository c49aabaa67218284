package dev.semel.store.redis;

import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.Listing;
import dev.semel.core.store.StoreException;
import io.lettuce.core.RedisCommandExecutionException;

/**
 * Walks over all records, master after master. Redis forgets by itself; a walk finds what nobody works on, and what cannot be
 * read. It does not count: no counter could be exact over several slots.
 */
final class RedisIndex implements KeyIndex {
    private final RedisListing listing;
    private final RedisSweep sweep;

    RedisIndex(Topology topology, RecordNames names, DurabilityWatch watch) {
        RecordScan scan = new RecordScan(names);
        this.listing = new RedisListing(topology, scan);
        this.sweep = new RedisSweep(topology, names, scan, watch);
    }

    @Override
    public Listing.Page list(Listing asked) {
        try {
            return listing.page(asked);
        } catch (RedisCommandExecutionException e) {
            throw refused(e);
        }
    }

    @Override
    public long count(String tenant, long upTo) {
        throw new UnsupportedOperationException("Redis keeps no exact count of a tenant's keys.");
    }

    @Override
    public Swept sweep(int limit) {
        if (limit < 1) throw new IllegalArgumentException("A step looks at one record or more, not " + limit + ".");
        try {
            return sweep.step(limit);
        } catch (RedisCommandExecutionException e) {
            throw refused(e);
        }
    }

    /** Whatever was removed before counts as absent anyway. */
    private static StoreException refused(RedisCommandExecutionException e) {
        return RedisFailures.notRead(e);
    }
}
