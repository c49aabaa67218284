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
 * Refuses what the parser behind it would quietly put right, and what a server behind the gateway may read in another
 * way: header lines that are folded over several lines (RFC 9112 §5.2), and request lines of no known version. Refuses, too,
 * what does not come in time. Follows the framing of HTTP/1.1 just closely enough to know where heads are. Where one has
 * such a line, it ends the request there with a byte that the parser itself refuses, with all its care for the pipelined
 * requests before it, and lets nothing more through.
 *
 * <p>Must see every byte of the connection from the first on; {@link StrictConnections} sees to that. Where its idea of
 * the framing and the parser's could differ, the parser refuses the request anyway.
 */
final class StrictHeads extends ChannelInboundHandlerAdapter {
    static final String NAME = "semel-strict-heads";

    private static final String HTTP_2_PREFACE = "PRI * HTTP/2.0";
    private static final int LONGEST_LINE = 65_536;

    /** A NUL is part of no line that the parser takes. */
    private static final byte[] SPOILED_END = {0, '\r', '\n', '\r', '\n'};

    /** Whoever reads the body answers first; this is for bodies that nobody reads. */
    private static final Duration TIME_TO_ANSWER = Duration.ofSeconds(2);

    private enum In {
        START_LINE,
        HEADER_LINE,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILER_LINE,
        UNTRACKED
    }

    private final StringBuilder line = new StringBuilder(64);
    private In in = In.START_LINE;
    private long remaining;
    private long contentLength;
    private boolean chunked;
    private boolean mayBeHttp2 = true;

    /** Also by the empty lines that may stand before a request. */
    private boolean begun;

    private final Channel channel;
    private final Alarm head;
    private final Alarm body;
    private @Nullable StrictFrames frames;
    private boolean over;
    private boolean upgrades;
    private int hosts;
    private int flaw = -1;

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
        } else if (flaw >= 0) {
            context.fireChannelRead(bytes.writerIndex(flaw));
            refuse(context);
        } else {
            setAlarms();
            super.channelRead(context, message);
        }
    }

    /** What has come is ended in such a way that the parser refuses it, and nothing more is read. */
    private void refuse(ChannelHandlerContext context) {
        over = true;
        head.clear();
        body.clear();
        context.fireChannelRead(Unpooled.copiedBuffer(SPOILED_END));
        context.fireChannelReadComplete();
    }

    /** @return whether the connection may go on */
    private boolean scan(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex() && in != In.UNTRACKED) {
            at = switch (in) {
                case BODY, CHUNK -> skip(bytes, at);
                default -> readByte(bytes, at);
            };
        }
        return frames == null || frames.scan(bytes, at);
    }

    /** At the end of what has come, so that a message in one piece sets none. */
    private void setAlarms() {
        if (headIsOpen()) head.set();
        else head.clear();
        if (bodyIsOpen()) body.set();
        else body.clear();
    }

    private boolean headIsOpen() {
        if (frames != null) return frames.headIsOpen();
        return in == In.HEADER_LINE || (in == In.START_LINE && begun);
    }

    private boolean bodyIsOpen() {
        return switch (in) {
            case BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER_LINE -> true;
            case START_LINE, HEADER_LINE, UNTRACKED -> false;
        };
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
            refuse(context);
        }
    }

    private void endHttp2(ChannelHandlerContext context) {
        if (!over) GoAway.calm(context);
        over = true;
    }

    private int skip(ByteBuf bytes, int at) {
        long skipped = Math.min(remaining, bytes.writerIndex() - at);
        remaining -= skipped;
        if (remaining == 0) in = in == In.BODY ? In.START_LINE : In.CHUNK_END;
        return at + (int) skipped;
    }

    private int readByte(ByteBuf bytes, int at) {
        byte octet = bytes.getByte(at);
        begun |= in == In.START_LINE;
        if (isFold(octet) || isNoChunkSize(octet)) {
            refuseFrom(at);
        } else if (octet == '\n') {
            endLine(at);
        } else if (line.length() < LONGEST_LINE) {
            line.append((char) (octet & 0xff));
        } else {
            in = In.UNTRACKED;
        }
        return at + 1;
    }

    private boolean isFold(byte octet) {
        return line.isEmpty() && in == In.HEADER_LINE && (octet == ' ' || octet == '\t');
    }

    /** The parser would skip spaces here. */
    private boolean isNoChunkSize(byte octet) {
        return line.isEmpty() && in == In.CHUNK_SIZE && Character.digit(octet, 16) < 0;
    }

    private void refuseFrom(int at) {
        flaw = at;
        in = In.UNTRACKED;
    }

    private void endLine(int at) {
        if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') line.setLength(line.length() - 1);
        String text = line.toString();
        line.setLength(0);
        switch (in) {
            case START_LINE -> {
                if (mayBeHttp2 && text.equals(HTTP_2_PREFACE)) startHttp2();
                else if (isRequestLine(text)) startHead();
                else if (!text.isEmpty()) refuseFrom(at);
            }
            case HEADER_LINE -> {
                // Behind an upgrade the head is never looked at again, so its one Host is counted here.
                if (text.isEmpty() && upgrades && hosts != 1) refuseFrom(at);
                else if (text.isEmpty()) endHead();
                else noteFraming(text);
            }
            case CHUNK_SIZE -> startChunk(text);
            case CHUNK_END -> in = In.CHUNK_SIZE;
            case TRAILER_LINE -> {
                if (text.isEmpty()) in = In.START_LINE;
            }
            default -> in = In.UNTRACKED;
        }
    }

    /** Two spaces and nothing else that could be taken for one (RFC 9112 §3); the parser takes more. */
    private static boolean isRequestLine(String text) {
        int spaces = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ' ') spaces++;
            else if (c < ' ' || c == 0x7f) return false;
        }
        return spaces == 2 && (text.endsWith(" HTTP/1.1") || text.endsWith(" HTTP/1.0"));
    }

    private void startHttp2() {
        in = In.UNTRACKED;
        frames = new StrictFrames();
    }

    private void startHead() {
        in = In.HEADER_LINE;
        begun = false;
        mayBeHttp2 = false;
        contentLength = 0;
        chunked = false;
        upgrades = false;
        hosts = 0;
    }

    private void noteFraming(String text) {
        if (text.regionMatches(true, 0, "content-length:", 0, 15))
            contentLength = Framing.number(text.substring(15), 10);
        if (text.regionMatches(true, 0, "transfer-encoding:", 0, 18)) chunked = true;
        if (text.regionMatches(true, 0, "upgrade:", 0, 8)) mayBeHttp2 = true;
        if (text.regionMatches(true, 0, "http2-settings:", 0, 15)) upgrades = true;
        if (text.regionMatches(true, 0, "host:", 0, 5)) hosts++;
    }

    private void endHead() {
        remaining = contentLength;
        if (chunked) in = In.CHUNK_SIZE;
        else if (contentLength == 0) in = In.START_LINE;
        else in = contentLength < 0 ? In.UNTRACKED : In.BODY;
    }

    private void startChunk(String text) {
        remaining = Framing.chunkSize(text);
        if (remaining == 0) in = In.TRAILER_LINE;
        else in = remaining < 0 ? In.UNTRACKED : In.CHUNK;
    }
}
