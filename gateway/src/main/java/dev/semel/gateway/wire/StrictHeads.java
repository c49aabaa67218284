package dev.semel.gateway.wire;

import dev.semel.gateway.config.ConnectionLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what {@link RequestScanner} refuses of requests, and what does not come in time. Ends such a request
 * with a byte that the parser behind it refuses, with all its care for the pipelined requests before it, and lets nothing
 * more through.
 *
 * <p>Must see every byte of the connection from the first on; {@link StrictConnections} sees to that. Where its idea of
 * the framing and the parser's could differ, the parser refuses the request anyway.
 */
final class StrictHeads extends ChannelInboundHandlerAdapter {
    static final String NAME = "semel-strict-heads";

    /** A NUL is part of no line that the parser takes. */
    private static final byte[] SPOILED_END = {0, '\r', '\n', '\r', '\n'};

    /** Whoever reads the body answers first; this is for bodies that nobody reads. */
    private static final Duration TIME_TO_ANSWER = Duration.ofSeconds(2);

    private final RequestScanner scanner = new RequestScanner();
    private final Channel channel;
    private final ReadTimeout headTimeout;
    private final ReadTimeout bodyTimeout;
    private @Nullable StrictFrames frames;
    private boolean over;

    /** Its time begins at once: who only connects is late, too. */
    StrictHeads(Channel channel, ConnectionLimits limits) {
        this.channel = channel;
        this.headTimeout = new ReadTimeout(channel, limits.headTime(), this::headIsLate);
        this.bodyTimeout = new ReadTimeout(
                channel, limits.bodyTime().plus(TIME_TO_ANSWER), () -> ConnectionClose.immediate(channel));
        headTimeout.start();
        channel.closeFuture().addListener(closed -> {
            headTimeout.cancel();
            bodyTimeout.cancel();
        });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (over || !(message instanceof ByteBuf bytes)) {
            ReferenceCountUtil.release(message);
        } else if (!scan(bytes)) {
            ReferenceCountUtil.release(message);
            endHttp2(context);
        } else if (scanner.refused() >= 0) {
            context.fireChannelRead(bytes.writerIndex(scanner.refused()));
            endRefused(context);
        } else {
            setTimeouts();
            super.channelRead(context, message);
        }
    }

    /** What has come is ended in such a way that the parser refuses it, and nothing more is read. */
    private void endRefused(ChannelHandlerContext context) {
        over = true;
        headTimeout.cancel();
        bodyTimeout.cancel();
        context.fireChannelRead(Unpooled.copiedBuffer(SPOILED_END));
        context.fireChannelReadComplete();
    }

    /** @return whether the connection may go on */
    private boolean scan(ByteBuf bytes) {
        int end = scanner.scan(bytes);
        if (scanner.isHttp2() && frames == null) frames = new StrictFrames();
        return frames == null || frames.scan(bytes, end);
    }

    /** At the end of what has come, so that a message in one piece starts none. */
    private void setTimeouts() {
        if (headIsOpen()) headTimeout.start();
        else headTimeout.cancel();
        if (scanner.bodyIsOpen()) bodyTimeout.start();
        else bodyTimeout.cancel();
    }

    private boolean headIsOpen() {
        return frames == null ? scanner.headIsOpen() : frames.headIsOpen();
    }

    /** Half a head is refused; who has said nothing gets no answer. */
    private void headIsLate() {
        ChannelHandlerContext context = channel.pipeline().context(this);
        if (context == null || !headIsOpen()) {
            ConnectionClose.immediate(channel);
        } else if (frames != null) {
            endHttp2(context);
        } else {
            HeadTimeout.mark(channel);
            endRefused(context);
        }
    }

    private void endHttp2(ChannelHandlerContext context) {
        if (!over) GoAway.enhanceYourCalm(context);
        over = true;
    }
}
