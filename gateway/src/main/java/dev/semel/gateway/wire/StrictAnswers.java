package dev.semel.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * Sees to it that no byte behind an answer is ever read as the beginning of the next one: whoever sends more than the
 * answer to what it was asked loses the connection, and the next request goes over another. The parser alone would keep
 * the bytes until then, and give them to another client. Follows the framing of HTTP/1.1 just closely enough to know
 * where an answer ends. For connections to upstreams, without pipelining; must see every byte.
 */
// A channel that cannot be closed is closed already.
@SuppressWarnings("FutureReturnValueIgnored")
final class StrictAnswers extends ChannelInboundHandlerAdapter {
    private static final int LONGEST_LINE = 65_536;

    private enum In {
        NOTHING_ASKED,
        STATUS_LINE,
        HEADER_LINE,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILER_LINE,
        UNTIL_CLOSE
    }

    private final StringBuilder line = new StringBuilder(64);
    private In in = In.NOTHING_ASKED;
    private boolean bodiless;
    private int status;
    private long remaining;
    private long contentLength;
    private boolean chunked;

    /** To be told of each request before it is sent. */
    void asked(boolean forHeadOnly) {
        in = In.STATUS_LINE;
        bodiless = forHeadOnly;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            int end = scan(bytes);
            if (end < bytes.writerIndex()) {
                // Before the answer is passed on, so that nobody can ask anything more over this connection.
                context.close();
                if (end == bytes.readerIndex()) {
                    ReferenceCountUtil.release(message);
                    return;
                }
                bytes.writerIndex(end);
            }
        }
        super.channelRead(context, message);
    }

    /** @return where the answer ends, or what has come of it */
    private int scan(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex()) {
            switch (in) {
                case NOTHING_ASKED -> {
                    return at;
                }
                case UNTIL_CLOSE -> {
                    return bytes.writerIndex();
                }
                case BODY, CHUNK -> at = skip(bytes, at);
                default -> readByte(bytes.getByte(at++));
            }
        }
        return at;
    }

    private int skip(ByteBuf bytes, int at) {
        long skipped = Math.min(remaining, bytes.writerIndex() - at);
        remaining -= skipped;
        if (remaining == 0) in = in == In.BODY ? In.NOTHING_ASKED : In.CHUNK_END;
        return at + (int) skipped;
    }

    private void readByte(byte octet) {
        if (octet == '\n') endLine();
        else if (line.length() < LONGEST_LINE) line.append((char) (octet & 0xff));
        else in = In.UNTIL_CLOSE;
    }

    private void endLine() {
        if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') line.setLength(line.length() - 1);
        String text = line.toString();
        line.setLength(0);
        switch (in) {
            case STATUS_LINE -> startHead(text);
            case HEADER_LINE -> {
                if (text.isEmpty()) endHead();
                else noteFraming(text);
            }
            case CHUNK_SIZE -> startChunk(text);
            case CHUNK_END -> in = In.CHUNK_SIZE;
            case TRAILER_LINE -> {
                if (text.isEmpty()) in = In.NOTHING_ASKED;
            }
            default -> in = In.UNTIL_CLOSE;
        }
    }

    private void startHead(String text) {
        if (text.isEmpty()) return;
        in = In.HEADER_LINE;
        contentLength = -1;
        chunked = false;
        String[] words = text.split(" ", 3);
        status = words.length > 1 ? (int) Framing.number(words[1], 10) : -1;
    }

    private void noteFraming(String text) {
        if (text.regionMatches(true, 0, "content-length:", 0, 15))
            contentLength = Framing.number(text.substring(15), 10);
        if (text.regionMatches(true, 0, "transfer-encoding:", 0, 18)) chunked = true;
    }

    private void endHead() {
        boolean interim = status >= 100 && status < 200 && status != 101;
        remaining = contentLength;
        if (interim) in = In.STATUS_LINE;
        else if (bodiless || status == 204 || status == 304 || (!chunked && contentLength == 0)) in = In.NOTHING_ASKED;
        else if (chunked) in = In.CHUNK_SIZE;
        else in = contentLength < 0 ? In.UNTIL_CLOSE : In.BODY;
    }

    private void startChunk(String text) {
        remaining = Framing.chunkSize(text);
        if (remaining == 0) in = In.TRAILER_LINE;
        else in = remaining < 0 ? In.UNTIL_CLOSE : In.CHUNK;
    }
}
