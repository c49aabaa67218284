package dev.semel.gateway.wire;

import io.netty.bootstrap.ChannelInitializerExtension;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Puts {@link StrictHeads} in front of the parser of every connection that this process accepts, before its first byte.
 * Vert.x offers no place that early, so this is an extension of Netty's own, which Netty loads as a service.
 */
public final class StrictConnections extends ChannelInitializerExtension {
    private static final AttributeKey<Boolean> WATCHED = AttributeKey.valueOf(StrictConnections.class, "watched");

    /** Tells Netty to load its extensions. To be called before the first listener is opened. */
    public static void enable() {
        System.setProperty("io.netty.bootstrap.extensions", "serviceload");
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
        channel.pipeline().addLast(new FirstBytes());
    }

    /** By the first bytes the pipeline is complete: only now is it known whether they are encrypted. */
    private static final class FirstBytes extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
            ChannelPipeline pipeline = context.pipeline();
            ChannelHandlerContext tls = pipeline.context(SslHandler.class);
            pipeline.addAfter((tls == null ? context : tls).name(), StrictHeads.NAME, new StrictHeads());
            super.channelRead(context, message);
            pipeline.remove(this);
        }
    }
}
