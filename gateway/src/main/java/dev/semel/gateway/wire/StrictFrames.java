package dev.semel.gateway.wire;

import io.netty.buffer.ByteBuf;

/**
 * Follows the frames of an HTTP/2 connection just closely enough to see what costs work and brings none: floods of
 * frames that must be answered or remembered, and heads that never end. Floods of resets, of small continuations and of
 * empty data are the parser's own business. For the event loop of its connection.
 */
final class StrictFrames {
    /** What follows the first line of the preface. */
    private static final int REST_OF_PREFACE = "\r\nSM\r\n\r\n".length();

    private static final int HEAD = 9;
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int END_HEADERS = 4;

    /** A client has no reason for more of them than a few in a minute. */
    private static final int MOST_IN_WINDOW = 500;

    private static final long WINDOW_NANOS = 30_000_000_000L;

    private long skip = REST_OF_PREFACE;
    private int filled;
    private int length;
    private int type;
    private boolean headIsOpen;
    private int counted;
    private long windowBegan = System.nanoTime();

    /** Goes on from this index. @return whether the connection may go on */
    boolean scan(ByteBuf bytes, int from) {
        int at = from;
        while (at < bytes.writerIndex()) {
            if (skip > 0) {
                long step = Math.min(skip, bytes.writerIndex() - at);
                skip -= step;
                at += (int) step;
            } else if (!readHead(bytes.getByte(at++) & 0xff)) {
                return false;
            }
        }
        return true;
    }

    /** True between the first frame of a head and the one that ends it. */
    boolean headIsOpen() {
        return headIsOpen;
    }

    private boolean readHead(int octet) {
        int index = filled++;
        if (index < 3) length = length << 8 | octet;
        else if (index == 3) type = octet;
        else if (index == 4) noteHead(octet);
        if (filled < HEAD) return true;
        skip = length;
        filled = 0;
        length = 0;
        return !isBusyWork() || isAllowed();
    }

    private void noteHead(int flags) {
        if (type == HEADERS || type == CONTINUATION) headIsOpen = (flags & END_HEADERS) == 0;
    }

    private boolean isBusyWork() {
        return switch (type) {
            case DATA, HEADERS, RESET, WINDOW_UPDATE, CONTINUATION -> false;
            default -> true;
        };
    }

    private boolean isAllowed() {
        long now = System.nanoTime();
        if (now - windowBegan > WINDOW_NANOS) {
            windowBegan = now;
            counted = 0;
        }
        return ++counted <= MOST_IN_WINDOW;
    }
}
