package dev.semel.gateway.wire;

/** The numbers that say where a message of HTTP/1.1 ends. */
final class Framing {
    private Framing() {}

    /** The size at the beginning of a chunk, or -1 for what the parser will refuse. */
    static long chunkSize(String text) {
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
}
