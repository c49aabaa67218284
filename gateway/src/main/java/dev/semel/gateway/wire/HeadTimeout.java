package dev.semel.gateway.wire;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** Marks connections on which the head of a request took too long: what the parser refuses there is late, not malformed. */
public final class HeadTimeout {
    private static final AttributeKey<Boolean> KEY = AttributeKey.valueOf(HeadTimeout.class, "head-timeout");

    private HeadTimeout() {}

    static void mark(Channel channel) {
        channel.attr(KEY).set(true);
    }

    public static boolean isMarked(HttpConnection connection) {
        return ((ConnectionBase) connection).channel().hasAttr(KEY);
    }
}
