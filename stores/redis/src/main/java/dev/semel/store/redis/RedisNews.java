package dev.semel.store.redis;

import dev.semel.core.key.KeyId;
import dev.semel.core.store.KeyNews;
import io.lettuce.core.RedisURI;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hears of changes through sharded pub/sub: the script that changes a record says so on a channel that has the record's name, on
 * the server that keeps it. One connection for each server, made when somebody first waits for a key of its.
 */
final class RedisNews implements KeyNews, AutoCloseable {
    /** After a connection that was lost or refused; until then there is no news of that server. */
    private static final long PAUSE_NANOS = 1_000_000_000;

    private final Topology topology;
    private final RecordNames names;
    private final Function<RedisURI, CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>>> opening;
    private final Map<Channel, Set<Runnable>> interests = new ConcurrentHashMap<>();
    private final Map<RedisNode, Subscriptions> subscriptions = new ConcurrentHashMap<>();

    RedisNews(
            Topology topology,
            RecordNames names,
            Function<RedisURI, CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>>> opening) {
        this.topology = topology;
        this.names = names;
        this.opening = opening;
    }

    /** The name of a record, which equals another with the same bytes. */
    private record Channel(byte[] name) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Channel that && Arrays.equals(name, that.name);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(name);
        }
    }

    /** A connection to one server, and when it was asked for. */
    private record Subscriptions(
            CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connection, long since) {
        boolean areAlive() {
            if (!connection.isDone()) return true;
            return !connection.isCompletedExceptionally() && connection.join().isOpen();
        }

        @SuppressWarnings("FutureReturnValueIgnored") // Nobody waits for it.
        void subscribe(Channel channel) {
            connection.thenAccept(open -> open.async().ssubscribe(channel.name()));
        }

        @SuppressWarnings("FutureReturnValueIgnored")
        void unsubscribe(Channel channel) {
            connection.thenAccept(open -> open.async().sunsubscribe(channel.name()));
        }

        boolean mayBeReplaced() {
            return !areAlive() && System.nanoTime() - since > PAUSE_NANOS;
        }
    }

    @Override
    public Interest watch(KeyId id, Runnable changed) {
        Channel channel = new Channel(names.of(id));
        Subscriptions node = subscriptionsFor(channel);
        interests.compute(channel, (it, present) -> {
            Set<Runnable> all = present == null ? ConcurrentHashMap.newKeySet() : present;
            all.add(changed);
            if (node != null) node.subscribe(channel);
            return all;
        });
        return () -> leave(channel, changed, node);
    }

    private @Nullable Subscriptions subscriptionsFor(Channel channel) {
        try {
            return subscriptions.compute(
                    topology.nodeOf(channel.name()),
                    (node, present) -> present == null || present.mayBeReplaced() ? subscribe(node) : present);
        } catch (RuntimeException e) {
            // Without a server there is no news, and the next look finds what there is.
            return null;
        }
    }

    private Subscriptions subscribe(RedisNode node) {
        CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connection = opening.apply(node.uri());
        return new Subscriptions(connection.thenApply(this::listening), System.nanoTime());
    }

    private StatefulRedisPubSubConnection<byte[], byte[]> listening(
            StatefulRedisPubSubConnection<byte[], byte[]> connection) {
        connection.addListener(new RedisPubSubAdapter<>() {
            @Override
            public void smessage(byte[] channel, byte[] message) {
                interests.getOrDefault(new Channel(channel), Set.of()).forEach(Runnable::run);
            }
        });
        return connection;
    }

    /** What is said to the server is said in the order of what it is about: whoever comes as another leaves is not forgotten. */
    private void leave(Channel channel, Runnable changed, @Nullable Subscriptions node) {
        interests.computeIfPresent(channel, (it, all) -> {
            all.remove(changed);
            if (!all.isEmpty()) return all;
            if (node != null) node.unsubscribe(channel);
            return null;
        });
    }

    /** The connections end with all others of the store. */
    @Override
    public void close() {
        interests.clear();
    }
}
