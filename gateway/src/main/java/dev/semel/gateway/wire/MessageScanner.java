package dev.semel.gateway.wire;

import io.netty.buffer.ByteBuf;

/**
 * Follows the framing of HTTP/1.1 on one connection just closely enough to know where heads, bodies and messages end.
 * Must see every byte. Requests and answers differ in what begins a head, and in whether a body follows it; that is left
 * to subclasses. Used on the connection's event loop only.
 */
abstract class MessageScanner {
    private static final int LONGEST_LINE = 65_536;

    enum State {
        /** No message is expected: whatever comes belongs to none. */
        IDLE,
        START_LINE,
        HEADER_LINE,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILER_LINE,
        /** The rest of the connection is not looked at: it has no frames of HTTP/1.1, or the parser will refuse it. */
        UNTRACKED
    }

    private final StringBuilder line = new StringBuilder(64);
    private final State betweenMessages;
    private State state;
    private int position;
    private int refused = -1;
    private long remaining;
    private long contentLength;
    private boolean chunked;

    /** Also by the empty lines that may stand before a message. */
    private boolean begun;

    /** @param betweenMessages where a connection begins, and where the end of a message leads */
    MessageScanner(State betweenMessages) {
        this.betweenMessages = betweenMessages;
        this.state = betweenMessages;
    }

    /** The line that begins a message, or an empty one before it. Calls {@link #startHead} if a head begins here. */
    abstract void onStartLine(String text);

    /** Calls {@link #startBody}, or goes to where no body leads. */
    abstract void onEndOfHead();

    /** For what is of interest beside the framing. */
    void onHeaderLine(String text) {}

    /** Whether no line of this state may begin with this byte. */
    boolean refusesAtStartOfLine(byte octet) {
        return false;
    }

    /** @return the index of the first byte that was not looked at */
    final int scan(ByteBuf bytes) {
        position = bytes.readerIndex();
        while (position < bytes.writerIndex() && state != State.IDLE && state != State.UNTRACKED) {
            if (state == State.BODY || state == State.CHUNK) skip(bytes);
            else readByte(bytes.getByte(position++));
        }
        return position;
    }

    private void skip(ByteBuf bytes) {
        long skipped = Math.min(remaining, bytes.writerIndex() - position);
        remaining -= skipped;
        if (remaining == 0) state = state == State.BODY ? betweenMessages : State.CHUNK_END;
        position += (int) skipped;
    }

    private void readByte(byte octet) {
        begun |= state == State.START_LINE;
        if (line.isEmpty() && refusesAtStartOfLine(octet)) refuse();
        else if (octet == '\n') endLine();
        else if (line.length() < LONGEST_LINE) line.append((char) (octet & 0xff));
        else state = State.UNTRACKED;
    }

    private void endLine() {
        if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') line.setLength(line.length() - 1);
        String text = line.toString();
        line.setLength(0);
        switch (state) {
            case START_LINE -> onStartLine(text);
            case HEADER_LINE -> {
                if (text.isEmpty()) onEndOfHead();
                else readHeader(text);
            }
            case CHUNK_SIZE -> startChunk(text);
            case CHUNK_END -> state = State.CHUNK_SIZE;
            case TRAILER_LINE -> {
                if (text.isEmpty()) state = betweenMessages;
            }
            default -> state = State.UNTRACKED;
        }
    }

    private void readHeader(String text) {
        if (isHeader(text, "content-length:")) contentLength = number(text.substring(15), 10);
        if (isHeader(text, "transfer-encoding:")) chunked = true;
        onHeaderLine(text);
    }

    static boolean isHeader(String text, String nameAndColon) {
        return text.regionMatches(true, 0, nameAndColon, 0, nameAndColon.length());
    }

    private void startChunk(String text) {
        remaining = chunkSize(text);
        if (remaining == 0) state = State.TRAILER_LINE;
        else state = remaining < 0 ? State.UNTRACKED : State.CHUNK;
    }

    /** The size at the beginning of a chunk, or -1 for what the parser will refuse. */
    private static long chunkSize(String text) {
        int end = text.indexOf(';');
        return number(end < 0 ? text : text.substring(0, end), 16);
    }

    /** The number, or -1 for what the parser will refuse. */
    static long number(String text, int radix) {
        try {
            return Long.parseLong(text.strip(), radix);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** @param lengthIfUnsaid how long a body is whose head says nothing of it; -1 for all that comes */
    final void startHead(long lengthIfUnsaid) {
        state = State.HEADER_LINE;
        begun = false;
        contentLength = lengthIfUnsaid;
        chunked = false;
    }

    /** As the head says. */
    final void startBody() {
        remaining = contentLength;
        if (chunked) state = State.CHUNK_SIZE;
        else if (contentLength == 0) state = betweenMessages;
        else state = contentLength < 0 ? State.UNTRACKED : State.BODY;
    }

    final void goTo(State next) {
        state = next;
    }

    final State state() {
        return state;
    }

    /** Refuses the byte that was just read, and does not look at what follows. */
    final void refuse() {
        refused = position - 1;
        state = State.UNTRACKED;
    }

    /** The index, in the bytes that were scanned last, of the one that was refused; -1 when there is none. */
    final int refused() {
        return refused;
    }

    final boolean headIsOpen() {
        return state == State.HEADER_LINE || (state == State.START_LINE && begun);
    }

    final boolean bodyIsOpen() {
        return switch (state) {
            case BODY, CHUNK_SIZE, CHUNK, CHUNK_END, TRAILER_LINE -> true;
            case IDLE, START_LINE, HEADER_LINE, UNTRACKED -> false;
        };
    }
}
