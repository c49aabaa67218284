package dev.semel.gateway.wire;

import dev.semel.gateway.config.ConnectionLimits;
import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts {@link StrictHeads} in front of the parser of every connection that this process accepts, before its first byte.
 * Vert.x offers no place that early, so this is an extension of Netty's own, which Netty loads as a service.
 */
// A channel that cannot be closed is closed already.
@SuppressWarnings("FutureReturnValueIgnored")
public final class StrictConnections extends ChannelInitializerExtension {
    private static final AttributeKey<Boolean> WATCHED = AttributeKey.valueOf(StrictConnections.class, "watched");

    private static final Map<Integer, ConnectionLimiter> LIMITERS = new ConcurrentHashMap<>();

    /** For listeners that nobody set limits for. */
    private static final ConnectionLimiter DEFAULT_LIMITER = new ConnectionLimiter(ConnectionLimits.DEFAULT);

    /** Tells Netty to load its extensions. To be called before anything of this process uses Netty, drivers of stores too. */
    public static void enable() {
        System.setProperty("io.netty.bootstrap.extensions", "serviceload");
    }

    /** Sets the limits of the listener on this port; to be called before it is opened. */
    public static void limit(int port, ConnectionLimits limits) {
        LIMITERS.put(port, new ConnectionLimiter(limits));
    }

    /** To be called when the listener on this port is closed. */
    public static void forget(int port) {
        LIMITERS.remove(port);
    }

    /** Closes a connection that is not watched after all: rather none than one that lets folded headers through. */
    public static void require(HttpConnection connection) {
        boolean watched = Boolean.TRUE.equals(
                ((ConnectionBase) connection).channel().attr(WATCHED).get());
        if (watched) return;
        connection.close();
        throw new IllegalStateException("Netty was started before the gateway, and without its extensions;"
                + " start this process with -Dio.netty.bootstrap.extensions=serviceload");
    }

    @Override
    public void postInitializeServerChildChannel(Channel channel) {
        channel.attr(WATCHED).set(true);
        channel.pipeline().addLast(new FirstBytes(limiter(channel)));
    }

    private static ConnectionLimiter limiter(Channel channel) {
        return channel.parent().localAddress() instanceof InetSocketAddress local
                ? LIMITERS.getOrDefault(local.getPort(), DEFAULT_LIMITER)
                : DEFAULT_LIMITER;
    }

    /** By the first bytes the pipeline is complete: only now is it known whether they are encrypted. */
    private static final class FirstBytes extends ChannelInboundHandlerAdapter {
        private final ConnectionLimiter limiter;
        private @Nullable StrictHeads heads;

        FirstBytes(ConnectionLimiter limiter) {
            this.limiter = limiter;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) throws Exception {
            Channel channel = context.channel();
            heads = new StrictHeads(channel, limiter.limits());
            if (limiter.admits(channel)) super.channelActive(context);
            else channel.close();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            ChannelPipeline pipeline = context.pipeline();
            ChannelHandlerContext tls = pipeline.context(SslHandler.class);
            pipeline.addAfter((tls == null ? context : tls).name(), StrictHeads.NAME, Objects.requireNonNull(heads));
            super.channelRead(context, message);
            pipeline.remove(this);
        }
    }
}
