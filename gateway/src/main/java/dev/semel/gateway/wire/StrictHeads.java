package dev.semel.gateway.wire;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Refuses what the parser behind it would quietly put right, and what a server behind the gateway may read in another
 * way: header lines that are folded over several lines (RFC 9112 §5.2), and request lines of no known version. Follows the
 * framing of HTTP/1.1 just closely enough to know where heads are. Where one has such a line, it spoils a byte of it, so
 * that the parser itself refuses the request, with all its care for the pipelined requests before it.
 *
 * <p>Must see every byte of the connection from the first on; {@link StrictConnections} sees to that. Where its idea of
 * the framing and the parser's could differ, the parser refuses the request anyway.
 */
final class StrictHeads extends ChannelInboundHandlerAdapter {
    static final String NAME = "semel-strict-heads";

    private static final String HTTP_2_PREFACE = "PRI * HTTP/2.0";
    private static final int LONGEST_LINE = 65_536;

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

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) scan(bytes);
        super.channelRead(context, message);
    }

    private void scan(ByteBuf bytes) {
        int at = bytes.readerIndex();
        while (at < bytes.writerIndex() && in != In.UNTRACKED) {
            at = switch (in) {
                case BODY, CHUNK -> skip(bytes, at);
                default -> readByte(bytes, at);
            };
        }
    }

    private int skip(ByteBuf bytes, int at) {
        long skipped = Math.min(remaining, bytes.writerIndex() - at);
        remaining -= skipped;
        if (remaining == 0) in = in == In.BODY ? In.START_LINE : In.CHUNK_END;
        return at + (int) skipped;
    }

    private int readByte(ByteBuf bytes, int at) {
        byte octet = bytes.getByte(at);
        if (isFold(octet)) {
            spoil(bytes, at);
        } else if (octet == '\n') {
            endLine(bytes, at);
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

    /** A NUL is part of no line that the parser takes. */
    private void spoil(ByteBuf bytes, int at) {
        bytes.setByte(at, 0);
        in = In.UNTRACKED;
    }

    private void endLine(ByteBuf bytes, int at) {
        if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') line.setLength(line.length() - 1);
        String text = line.toString();
        line.setLength(0);
        switch (in) {
            case START_LINE -> {
                if (text.equals(HTTP_2_PREFACE)) in = In.UNTRACKED;
                else if (text.endsWith(" HTTP/1.1") || text.endsWith(" HTTP/1.0")) startHead();
                else if (!text.isEmpty()) spoil(bytes, at);
            }
            case HEADER_LINE -> {
                if (text.isEmpty()) endHead();
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

    private void startHead() {
        in = In.HEADER_LINE;
        contentLength = 0;
        chunked = false;
    }

    private void noteFraming(String text) {
        if (text.regionMatches(true, 0, "content-length:", 0, 15)) contentLength = number(text.substring(15), 10);
        if (text.regionMatches(true, 0, "transfer-encoding:", 0, 18)) chunked = true;
    }

    private void endHead() {
        remaining = contentLength;
        if (chunked) in = In.CHUNK_SIZE;
        else if (contentLength == 0) in = In.START_LINE;
        else in = contentLength < 0 ? In.UNTRACKED : In.BODY;
    }

    private void startChunk(String text) {
        int end = text.indexOf(';');
        remaining = number(end < 0 ? text : text.substring(0, end), 16);
        if (remaining == 0) in = In.TRAILER_LINE;
        else in = remaining < 0 ? In.UNTRACKED : In.CHUNK;
    }

    /** The number, or -1 for what the parser will refuse. */
    private static long number(String text, int radix) {
        try {
            return Long.parseLong(text.strip(), radix);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
