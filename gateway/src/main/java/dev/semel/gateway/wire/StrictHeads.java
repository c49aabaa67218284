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
    private final Alarm head;
    private final Alarm body;
    private @Nullable StrictFrames frames;
    private boolean over;

    /** Its time begins at once: who only connects is late, too. */
    StrictHeads(Channel channel, ConnectionLimits limits) {
        this.channel = channel;
        this.head = new Alarm(channel, limits.headTime(), this::headIsLate);
        this.body = new Alarm(channel, limits.bodyTime().plus(TIME_TO_ANSWER), () -> Farewell.cut(channel));
        head.set();
        channel.closeFuture().addListener(closed -> {
            head.clear();
            body.clear();
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
            setAlarms();
            super.channelRead(context, message);
        }
    }

    /** What has come is ended in such a way that the parser refuses it, and nothing more is read. */
    private void endRefused(ChannelHandlerContext context) {
        over = true;
        head.clear();
        body.clear();
        context.fireChannelRead(Unpooled.copiedBuffer(SPOILED_END));
        context.fireChannelReadComplete();
    }

    /** @return whether the connection may go on */
    private boolean scan(ByteBuf bytes) {
        int end = scanner.scan(bytes);
        if (scanner.isHttp2() && frames == null) frames = new StrictFrames();
        return frames == null || frames.scan(bytes, end);
    }

    /** At the end of what has come, so that a message in one piece sets none. */
    private void setAlarms() {
        if (headIsOpen()) head.set();
        else head.clear();
        if (scanner.bodyIsOpen()) body.set();
        else body.clear();
    }

    private boolean headIsOpen() {
        return frames == null ? scanner.headIsOpen() : frames.headIsOpen();
    }

    /** Half a head is refused; who has said nothing gets no answer. */
    private void headIsLate() {
        ChannelHandlerContext context = channel.pipeline().context(this);
        if (context == null || !headIsOpen()) {
            Farewell.cut(channel);
        } else if (frames != null) {
            endHttp2(context);
        } else {
            Late.mark(channel);
            endRefused(context);
        }
    }

    private void endHttp2(ChannelHandlerContext context) {
        if (!over) GoAway.calm(context);
        over = true;
    }
}
