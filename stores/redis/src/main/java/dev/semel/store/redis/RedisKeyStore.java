package dev.semel.store.redis;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.KeyIndex;
import dev.semel.core.store.KeyNews;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.NewKey;
import dev.semel.core.store.Next;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A {@link KeyStore} in Redis 7 or Valkey, shared by any number of processes: one server, a master and its replicas under
 * Sentinel, or a cluster. Safe for use by any number of threads.
 *
 * <p><b>Durable when a call returns</b> is what the servers make of it; {@link #durability()} says what that is, in plain
 * words. The clock is that of the server that keeps the key. Every call is one script on one key, in one round trip; calls of
 * concurrent callers share a connection and do not wait for each other. What is forgotten expires by itself.
 */
public final class RedisKeyStore implements KeyStore {
    public static final DeclaredTraits DECLARED = DeclaredTraits.always(
                    "Redis",
                    StoreTraits.surviving(StoreTraits.Survives.POWER_LOSS)
                            .withLargestOutcome(RedisOptions.LARGEST_OUTCOME)
                            .withForgetting(StoreTraits.Forgetting.SERVER)
                            .withoutCounting()
                            .withNotifying())
            .atLeast(StoreTraits.Survives.NOTHING, "`appendonly`, `appendfsync`, `maxmemory-policy` and replicas")
            .withSkewBy("1 s in a cluster and where a replica may take over; `?skew=`")
            .withLargestBy("`RedisOptions`");

    private static final byte[] VERSION = {RecordCodec.VERSION};
    private static final byte[] NONE = {};
    private static final byte[] YES = {'1'};

    /** Redis refuses times that overflow; nobody waits for this one. */
    private static final int CONFIRMING_CONNECTIONS = 8;

    private static final Duration LONGEST = Duration.ofDays(365_000);

    private final RedisConnector connector;
    private final Topology topology;
    private final RedisCalls calls;
    /** Where writes wait for replicas, nothing else on their connection goes on meanwhile; so there are several. */
    private final List<RedisCalls> writes;

    private final AtomicInteger turn = new AtomicInteger();
    private final RecordNames names;
    private final RedisIndex index;
    private final RedisNews news;
    private final RedisDurability durability;
    private final StoreTraits traits;
    private final long largestOutcome;

    private RedisKeyStore(RedisConnector connector, RedisUrl url, RedisOptions options) {
        this.connector = connector;
        this.topology = topology(connector, RedisLink.Purpose.PLAIN, url, options);
        this.calls = new RedisCalls(topology);
        this.writes = url.replicas() == 0
                ? List.of(calls)
                : Stream.generate(() -> confirming(connector, url, options))
                        .limit(CONFIRMING_CONNECTIONS)
                        .toList();
        this.names = new RecordNames(url.prefix());
        this.news = new RedisNews(topology, names, connector::openForNews);
        this.durability = RedisDurability.read(topology, url);
        this.index = new RedisIndex(
                topology, names, new DurabilityWatch(durability, () -> RedisDurability.read(topology, url)));
        this.largestOutcome = options.largestOutcome();
        this.traits = DECLARED.surviving(durability.survives())
                .withSkew(durability.skew())
                .withLargestOutcome(largestOutcome)
                .withLosses(durability.losses());
    }

    private static Topology topology(
            RedisConnector connector, RedisLink.Purpose purpose, RedisUrl url, RedisOptions options) {
        return url.cluster()
                ? ClusterSlots.open(connector::open, purpose, url.servers(), options)
                : new SingleMaster(new RedisNode(connector::open, url.servers().getFirst(), purpose, options));
    }

    /** Half of a call's time is left for the master itself. */
    private static RedisCalls confirming(RedisConnector connector, RedisUrl url, RedisOptions options) {
        RedisLink.Purpose confirming =
                RedisLink.Purpose.confirming(url.replicas(), options.timeout().dividedBy(2));
        return new RedisCalls(topology(connector, confirming, url, options));
    }

    /** Opens a store with default options. */
    public static RedisKeyStore open(String url) {
        return open(url, RedisOptions.DEFAULT);
    }

    /**
     * Opens a store with connections of its own, which end when it is closed.
     *
     * @param url as {@code redis://[user:password@]host:port[/db]}; {@code rediss:}, {@code redis-sentinel:} and
     *     {@code redis-cluster:} are described in docs/stores/redis.md
     * @throws IllegalArgumentException when the URL cannot be used
     * @throws IllegalStateException when the server is too old, or not what the URL says
     * @throws StoreException when the server cannot be reached, or does not let the store in
     */
    public static RedisKeyStore open(String url, RedisOptions options) {
        return open(RedisUrl.parse(url), options, null);
    }

    /** The same on threads and timers of the caller's, which stay when the store is closed. */
    public static RedisKeyStore open(String url, RedisOptions options, ClientResources shared) {
        return open(RedisUrl.parse(url), options, shared);
    }

    private static RedisKeyStore open(RedisUrl url, RedisOptions options, @Nullable ClientResources shared) {
        RedisConnector connector = new RedisConnector(options, shared);
        try {
            RedisKeyStore store = new RedisKeyStore(connector, url, options);
            store.warn();
            return store;
        } catch (RedisCommandExecutionException e) {
            connector.close();
            throw RedisFailures.refused(e);
        } catch (RuntimeException e) {
            connector.close();
            throw e;
        }
    }

    /** Whether a store could not be opened because its server does not take connections, or does not do so yet. */
    public static boolean isUnreachable(StoreException failure) {
        return RedisFailures.isUnreachable(failure);
    }

    /** Whoever has not said that keys may be lost should know that they may. */
    private void warn() {
        if (!durability.losses().isEmpty() && !durability.lossAccepted())
            System.getLogger(RedisKeyStore.class.getName()).log(System.Logger.Level.WARNING, durability.explanation());
    }

    /** What the store of this URL will promise, as far as the URL tells. */
    public static DeclaredTraits declared(String url) {
        RedisUrl parsed = RedisUrl.parse(url);
        return DECLARED.withUsual(DECLARED.usual().withSkew(RedisDurability.leastSkew(parsed)));
    }

    /** What an acknowledged write survives as the servers were set up when the store was opened, and what it does not. */
    public RedisDurability durability() {
        return durability;
    }

    @Override
    public Inserted insert(NewKey key) {
        byte[] name = names.of(key.id());
        byte[] body = RecordCodec.body(key);
        Answer answer = answered(() -> new Answer(writer().run(Script.INSERT, name, VERSION, body)));
        if (answer.hasFound()) return new Inserted.Existing(seen(key.id(), answer));
        return new Inserted.Fresh(written(answer.micros(), null, answer.micros(), body));
    }

    private RedisCalls writer() {
        return writes.get(Math.floorMod(turn.getAndIncrement(), writes.size()));
    }

    private static KeyRecord written(long revision, @Nullable Instant since, long micros, byte[] body) {
        byte[] head = RecordCodec.versionAndRevision(revision, since);
        return StoredRecord.of(RecordCodec.whole(head, micros, body)).record(null);
    }

    @Override
    public Replaced replace(KeyRecord seen, Change change) {
        if (change.next() instanceof Next.Done done && done.outcome().encoded().length > largestOutcome)
            throw StoreException.notApplied(
                    "An outcome of " + done.outcome().encoded().length + " bytes is larger than this store keeps, "
                            + largestOutcome + " bytes.",
                    null);
        Answer answer = answered(() -> replaced(seen, change));
        if (answer.isWritten()) return new Replaced.Swapped(swapped(seen, change, answer.micros()));
        return new Replaced.Moved(answer.hasFound() ? seen(seen.id(), answer) : null);
    }

    /** While its slot is being moved, a record may be here and its outcome there: then the record takes the outcome in. */
    private Answer replaced(KeyRecord seen, Change change) {
        try {
            return replaced(seen, change, false);
        } catch (RedisCommandExecutionException e) {
            if (!RedisFailures.isElsewhere(e)) throw e;
            return replaced(seen, change, true);
        }
    }

    private Answer replaced(KeyRecord seen, Change change, boolean outcomeInside) {
        long revision = seen.revision() + 1;
        byte[] before = RecordCodec.versionAndRevision(seen.revision(), null);
        boolean apart = change.next() instanceof Next.Done && !outcomeInside;
        return new Answer(writer().run(
                        Script.REPLACE,
                        names.of(seen.id()),
                        Arrays.copyOfRange(before, RecordCodec.REVISION, before.length),
                        RecordCodec.versionAndRevision(revision, change.since()),
                        RecordCodec.body(seen.id(), revision, change, outcomeInside),
                        RedisLink.ascii(RecordCodec.sizeOf(seen.id())),
                        recordTtl(change.next()),
                        apart
                                ? RecordCodec.apart(
                                        revision,
                                        ((Next.Done) change.next()).outcome().encoded())
                                : NONE,
                        apart ? ttl(((Next.Done) change.next()).retention()) : NONE,
                        change.next() instanceof Next.Held ? NONE : YES));
    }

    /** What is held or in doubt never goes by itself. */
    private byte[] recordTtl(Next next) {
        return switch (next) {
            case Next.Free free -> ttl(free.keep());
            case Next.Done done -> ttl(done.retention().plus(done.tombstone()));
            case Next.Held held -> NONE;
            case Next.InDoubt doubt -> NONE;
        };
    }

    /** A little longer rather than too short: another server, with another clock, may take over before. */
    private byte[] ttl(Duration time) {
        if (time.compareTo(LONGEST) > 0) return RedisLink.ascii(LONGEST.toMillis());
        return RedisLink.ascii(
                Math.max(1, time.plus(traits.skew()).plusNanos(999_999).toMillis()));
    }

    private static KeyRecord swapped(KeyRecord seen, Change change, long micros) {
        long revision = seen.revision() + 1;
        return written(revision, change.since(), micros, RecordCodec.body(seen.id(), revision, change, true));
    }

    @Override
    public @Nullable Seen find(KeyId id) {
        Answer answer = read(() -> new Answer(calls.run(Script.FIND, names.of(id))));
        return answer.hasFound() ? seen(id, answer) : null;
    }

    @Override
    public List<Seen> findAll(Collection<KeyId> ids) {
        List<KeyId> asked = List.copyOf(new LinkedHashSet<>(ids));
        List<List<@Nullable Object>> answers =
                read(() -> calls.findAll(asked.stream().map(names::of).toList()));
        List<Seen> found = new ArrayList<>(asked.size());
        for (int i = 0; i < asked.size(); i++) {
            Answer answer = new Answer(answers.get(i));
            if (answer.hasFound()) found.add(seen(asked.get(i), answer));
        }
        return found;
    }

    /** A record that stands under the digest of a key asked for, but is of another key, is not given away. */
    private Seen seen(KeyId id, Answer answer) {
        StoredRecord record = StoredRecord.of(answer.found());
        if (!record.id().equals(id))
            throw new IllegalStateException("Two keys have the same digest: a record is not of the key it stands for.");
        byte[] outcome = answer.outcome();
        if (record.lacksOutcome(outcome, answer.now())) outcome = read(() -> calls.get(names.outcomeOf(id)));
        return new Seen(record.record(outcome), answer.now());
    }

    @Override
    public Instant now() {
        List<RedisNode> masters = topology.masters();
        if (masters.isEmpty()) throw StoreException.notApplied("No node of the cluster has slots.", null);
        return read(() -> RedisServerTime.of(masters.getFirst()));
    }

    private static <T> T read(Supplier<T> call) {
        try {
            return call.get();
        } catch (RedisCommandExecutionException e) {
            throw RedisFailures.notRead(e);
        }
    }

    private static <T> T answered(Supplier<T> call) {
        try {
            return call.get();
        } catch (RedisCommandExecutionException e) {
            throw RedisFailures.refused(e);
        }
    }

    @Override
    public KeyNews news() {
        return news;
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public KeyIndex index() {
        return index;
    }

    @Override
    public void close() {
        news.close();
        connector.close();
        topology.close();
        writes.forEach(RedisCalls::close);
    }
}
