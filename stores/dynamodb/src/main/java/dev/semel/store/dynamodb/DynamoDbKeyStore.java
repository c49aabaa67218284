package dev.semel.store.dynamodb;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Listing;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * A {@link KeyStore} in a table of Amazon DynamoDB, shared by any number of processes in one region. Safe for use by any
 * number of threads; each call holds one connection of the pool while it waits.
 *
 * <p><b>Durable when a call returns:</b> DynamoDB has the write on two of three availability zones. Every write is
 * conditional, and every read of a key is consistent.
 *
 * <p><b>Clocks.</b> DynamoDB tells nobody the time, so leases are judged by the clocks of the processes. They may differ by
 * the {@linkplain DynamoDbOptions#skew() declared skew}, which the engine adds.
 *
 * <p><b>Unknown</b> is a write whose answer did not arrive, or that DynamoDB answered with an error of its own (5xx). What
 * it refused, throttled or was never sent is {@link StoreException.Applied#NO}.
 */
public final class DynamoDbKeyStore implements KeyStore, KeyIndex {
    private static final String IS_NEW = "attribute_not_exists(" + Attribute.ID + ")";
    private static final String IS_UNCHANGED = Attribute.REVISION + " = :seen";

    /** An outcome of this size always fits into an item, whatever else is in it. */
    static final long LARGEST_OUTCOME = ItemWriter.LARGEST_ITEM - ItemWriter.ROOM_FOR_THE_REST;

    /** A server that only speaks DynamoDB's protocol promises less than DynamoDB. */
    public static final DeclaredTraits DECLARED = DeclaredTraits.always(
                    "DynamoDB",
                    StoreTraits.surviving(StoreTraits.Survives.NODE_LOSS)
                            .withClock(StoreTraits.LeaseClock.CLIENTS)
                            .withSkew(DynamoDbOptions.DEFAULT.skew())
                            .withLargestOutcome(LARGEST_OUTCOME)
                            .withForgetting(StoreTraits.Forgetting.SERVER)
                            .withoutCounting())
            .atLeast(StoreTraits.Survives.PROCESS_DEATH, "whether the table is AWS's own")
            .withSkewBy("`?skew=`");

    private final TableCalls calls;
    private final Clock clock;
    private final @Nullable DynamoDbClient own;
    private final BatchedFinds finds;
    private final DynamoDbListing listing;
    private final DynamoDbSweep sweep;
    private final boolean sweeps;
    private final StoreTraits traits;

    private DynamoDbKeyStore(
            DynamoDbClient client, String table, DynamoDbOptions options, Clock clock, @Nullable DynamoDbClient own) {
        TableCheck check = TableSetup.run(client, table, options);
        this.calls = new TableCalls(client, table, own == null);
        this.clock = clock;
        this.own = own;
        this.finds = new BatchedFinds(calls, clock);
        this.listing = new DynamoDbListing(calls, clock);
        this.sweep = new DynamoDbSweep(calls, clock, check, options);
        this.sweeps = options.sweepUnits() > 0;
        this.traits =
                DECLARED.surviving(check.survives()).withSkew(options.skew()).withForgetting(check.forgetting());
    }

    /**
     * Opens the store that {@code dynamodb://region/table} names, with parameters {@code endpoint}, {@code create},
     * {@code skew}, {@code sweep}, {@code strip}, {@code connections} and {@code accept-loss}.
     *
     * @throws IllegalArgumentException when the URL says anything else
     * @throws StoreException when DynamoDB cannot be reached or does not allow it
     * @throws IllegalStateException when the table is missing, or cannot be used
     */
    public static DynamoDbKeyStore open(String url) {
        return open(url, DynamoDbOptions.DEFAULT);
    }

    /** What the store of this URL will promise, as far as the URL tells. */
    public static DeclaredTraits declared(String url) {
        DynamoDbOptions options =
                DynamoDbUrl.parse(url, DynamoDbOptions.DEFAULT).options();
        return DECLARED.withUsual(DECLARED.usual().withSkew(options.skew()));
    }

    /** The same; what the URL says wins over the options. */
    public static DynamoDbKeyStore open(String url, DynamoDbOptions options) {
        return open(url, options, Clock.systemUTC());
    }

    /** The same with another clock, for tests: leases and retention are judged by it, and first tokens read from it. */
    public static DynamoDbKeyStore open(String url, DynamoDbOptions options, Clock clock) {
        DynamoDbUrl parsed = DynamoDbUrl.parse(url, options);
        DynamoDbClient client = DynamoDbClients.open(parsed);
        try {
            return new DynamoDbKeyStore(client, parsed.table(), parsed.options(), clock, client);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Opens a store on the caller's client, which stays open when the store is closed. Connections and timeouts are the
     * client's own. It should not send a write again whose answer is lost; where it does, the store says more often that
     * a write is unknown, and never wrongly that it is not.
     */
    public static DynamoDbKeyStore open(DynamoDbClient client, String table, DynamoDbOptions options) {
        return new DynamoDbKeyStore(client, table, options, Clock.systemUTC(), null);
    }

    /** Whether a store could not be opened because DynamoDB did not answer, or not yet. */
    public static boolean isUnreachable(StoreException failure) {
        return DynamoDbFailures.isUnreachable(failure);
    }

    @Override
    public Inserted insert(NewKey key) {
        KeyRecord fresh = ItemWriter.asStored(key).at(clock.instant());
        TableCalls.Obstacle there = calls.put(ItemWriter.item(fresh), IS_NEW, Map.of());
        return there == null ? new Inserted.Fresh(fresh) : new Inserted.Existing(seen(there.item(), key.id()));
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        requireFit(change);
        KeyRecord next = ItemWriter.asStored(change).after(seen, clock.instant());
        AttributeValue revision = AttributeValue.fromN(Long.toString(seen.revision()));
        TableCalls.Obstacle there = calls.put(ItemWriter.item(next), IS_UNCHANGED, Map.of(":seen", revision));
        if (there == null) return new Replaced.Swapped(next);
        return new Replaced.Moved(there.isNothing() ? null : seen(there.item(), seen.id()));
    }

    /** DynamoDB would refuse it too, but only after having been sent all of it. */
    private static void requireFit(Change change) {
        if (!(change.next() instanceof Next.Done done)) return;
        int bytes = done.outcome().encoded().length;
        if (bytes > LARGEST_OUTCOME)
            throw StoreException.notApplied(
                    "An outcome of " + bytes + " bytes does not fit into DynamoDB; at most " + LARGEST_OUTCOME + " do.",
                    null);
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        GetItemResponse found = calls.read(client -> client.getItem(request ->
                request.tableName(calls.table()).key(ItemWriter.address(id)).consistentRead(true)));
        return found.hasItem() ? seen(found.item(), id) : null;
    }

    /** An item that cannot be read fails the call that asks for it alone, and is left out among others. */
    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        if (ids.size() != 1) return finds.find(ids);
        Seen seen = find(ids.iterator().next());
        return seen == null ? List.of() : List.of(seen);
    }

    private Seen seen(Map<String, AttributeValue> item, KeyId id) {
        return new Seen(ItemReader.record(item, id), clock.instant());
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public KeyIndex index() {
        return this;
    }

    @Override
    public Listing.Page list(Listing asked) {
        return listing.page(asked);
    }

    /** Not offered: to count exactly, DynamoDB would have to read every item of the table. */
    @Override
    public long count(String tenant, long upTo) {
        throw new UnsupportedOperationException("DynamoDB cannot count keys without reading all of them.");
    }

    @Override
    public Swept sweep(int limit) {
        return sweep.step(limit, !sweeps);
    }

    @Override
    public void close() {
        calls.close();
        if (own != null) own.close();
    }
}
