package dev.semel.gateway.wire;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;

/** Ends an HTTP/2 connection from below the parser: a GOAWAY that asks to calm down, then the end. */
// A channel that cannot be closed is closed already.
@SuppressWarnings("FutureReturnValueIgnored")
final class GoAway {
    /** Length, type, flags and stream; then the highest stream there can be, for nothing is said of any, and the code. */
    private static final byte[] ENHANCE_YOUR_CALM = {
        0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0, 0, 0, 0xb
    };

    private GoAway() {}

    static void enhanceYourCalm(ChannelHandlerContext context) {
        // Closed from here: the parser above would send a GOAWAY of its own, and wait for its streams.
        context.writeAndFlush(Unpooled.copiedBuffer(ENHANCE_YOUR_CALM)).addListener(sent -> context.close());
    }
}
