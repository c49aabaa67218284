package dev.semel.gateway.wire;

import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** Connections whose end is decided: what still comes on them may be anything, and is not for us. */
public final class Condemned {
    private static final AttributeKey<Boolean> KEY = AttributeKey.valueOf(Condemned.class, "condemned");

    private Condemned() {}

    public static void mark(HttpConnection connection) {
        ((ConnectionBase) connection).channel().attr(KEY).set(true);
    }

    public static boolean is(HttpConnection connection) {
        return ((ConnectionBase) connection).channel().hasAttr(KEY);
    }
}
