package dev.semel.gateway.wire;

import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/** Connections that are about to be closed: whatever still comes on them is ignored. */
public final class ClosingConnections {
    private static final AttributeKey<Boolean> KEY = AttributeKey.valueOf(ClosingConnections.class, "closing");

    private ClosingConnections() {}

    public static void add(HttpConnection connection) {
        ((ConnectionBase) connection).channel().attr(KEY).set(true);
    }

    public static boolean contains(HttpConnection connection) {
        return ((ConnectionBase) connection).channel().hasAttr(KEY);
    }
}
