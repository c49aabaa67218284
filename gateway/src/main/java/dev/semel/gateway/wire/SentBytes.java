package dev.semel.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Counts what a connection was given to send while it was alive. If the count has not moved since a request was begun,
 * not one byte of that request has left; if it has, some of it may have. Used on the connection's event loop only.
 */
public final class SentBytes extends ChannelOutboundHandlerAdapter {
    private static final AttributeKey<SentBytes> KEY = AttributeKey.valueOf(SentBytes.class, "semel");
    private static final String NAME = "semel-sent-bytes";

    private long count;

    private SentBytes() {}

    /** Starts counting on a new connection. */
    static void watch(Channel channel) {
        SentBytes counter = new SentBytes();
        channel.attr(KEY).set(counter);
        channel.pipeline().addFirst(NAME, counter);
    }

    public static SentBytes of(HttpConnection connection) {
        return ((ConnectionBase) connection).channel().attr(KEY).get();
    }

    public long count() {
        return count;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
        if (context.channel().isActive()) count += message instanceof ByteBuf bytes ? bytes.readableBytes() : 1;
        super.write(context, message, promise);
    }
}
