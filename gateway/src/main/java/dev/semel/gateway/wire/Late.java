package dev.semel.gateway.wire;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** Connections on which the head of a request took too long, so that what the parser refuses is no one's bad HTTP. */
public final class Late {
    private static final AttributeKey<Boolean> KEY = AttributeKey.valueOf(Late.class, "late");

    private Late() {}

    static void mark(Channel channel) {
        channel.attr(KEY).set(true);
    }

    public static boolean is(HttpConnection connection) {
        return ((ConnectionBase) connection).channel().hasAttr(KEY);
    }
}
