package dev.semel.store.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes connections. The driver never repeats what was sent on one that broke, and never makes another by itself. */
final class RedisConnector implements AutoCloseable {
    /** So many commands that are ready at the same time go out in one write. */
    private static final int COMMANDS_PER_FLUSH = 256;

    private static final int IO_THREADS = 2;

    private final RedisClient client;
    private final @Nullable ClientResources own;
    private final Duration timeout;

    /** @param shared threads of the caller's, which stay when this is closed; null for own ones */
    RedisConnector(RedisOptions options, @Nullable ClientResources shared) {
        this.own = shared == null ? resources() : null;
        this.client = RedisClient.create(shared == null ? own : shared);
        this.timeout = options.connectTimeout();
        SocketOptions sockets = options.client().getSocketOptions();
        client.setOptions(options.client()
                .mutate()
                .autoReconnect(false)
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .replayFilter(command -> true)
                .pingBeforeActivateConnection(true)
                .publishOnScheduler(false)
                .socketOptions(sockets.mutate()
                        .connectTimeout(options.connectTimeout())
                        .build())
                .timeoutOptions(TimeoutOptions.create())
                .build());
    }

    private static ClientResources resources() {
        return ClientResources.builder()
                .ioThreadPoolSize(IO_THREADS)
                .computationThreadPoolSize(2)
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        channel.pipeline().addFirst(new FlushConsolidationHandler(COMMANDS_PER_FLUSH, true));
                    }
                })
                .build();
    }

    /** The scripts are on their way before anything else is. Should the server not take them, it is told when it misses one. */
    CompletableFuture<RedisLink> open(RedisURI uri, RedisLink.Purpose purpose) {
        return client.connectAsync(ByteArrayCodec.INSTANCE, limited(uri))
                .toCompletableFuture()
                .thenApply(connection -> {
                    for (Script script : Script.values()) tell(script, connection);
                    return new RedisLink(connection, purpose);
                });
    }

    /** Nobody waits for it. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private static void tell(Script script, StatefulRedisConnection<byte[], byte[]> connection) {
        connection.async().scriptLoad(script.text());
    }

    CompletableFuture<StatefulRedisPubSubConnection<byte[], byte[]>> openForNews(RedisURI uri) {
        return client.connectPubSubAsync(ByteArrayCodec.INSTANCE, limited(uri)).toCompletableFuture();
    }

    private RedisURI limited(RedisURI uri) {
        uri.setTimeout(timeout);
        return uri;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Threads end in their own time.
    public void close() {
        client.shutdown(Duration.ZERO, timeout);
        if (own != null) own.shutdown(0, timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
