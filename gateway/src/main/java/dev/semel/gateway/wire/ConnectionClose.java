package dev.semel.gateway.wire;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.concurrent.TimeUnit;

/**
 * Closes the connection of a client after its last answer. A system that closes a connection on which something unread comes in
 * throws away what the other side has not fetched yet, so a client that still sends would never see the answer. Hence
 * first our half is closed, and the rest when the client has left, or a little later.
 */
// A channel that cannot be closed is closed already.
@SuppressWarnings("FutureReturnValueIgnored")
public final class ConnectionClose {
    private static final long LINGER_MILLIS = 1_000;

    private ConnectionClose() {}

    public static void lingering(HttpConnection connection) {
        Channel channel = ((ConnectionBase) connection).channel();
        if (channel.pipeline().get(SslHandler.class) != null || !(channel instanceof DuplexChannel duplex)) {
            channel.close();
            return;
        }
        duplex.shutdownOutput();
        channel.config().setAutoRead(true);
        channel.eventLoop().schedule(() -> immediate(channel), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Closes it now, and drops all that waits to be sent. */
    public static void immediate(HttpConnection connection) {
        immediate(((ConnectionBase) connection).channel());
    }

    /** From the outer end: the framework would first wait until everything is sent. */
    static void immediate(Channel channel) {
        ChannelHandlerContext outermost = channel.pipeline().firstContext();
        if (outermost == null) channel.close();
        else outermost.close();
    }
}
