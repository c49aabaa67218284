package dev.semel.gateway.wire;

/**
 * Refuses the first byte of a request that the parser would quietly put right, and that a server behind the gateway may read
 * in another way: header lines that are folded over several lines (RFC 9112 §5.2), request lines of no known version,
 * and sizes of chunks behind spaces. Notices, too, where HTTP/2 begins.
 */
final class RequestScanner extends MessageScanner {
    private static final String HTTP_2_PREFACE = "PRI * HTTP/2.0";

    private boolean mayBeHttp2 = true;
    private boolean isHttp2;
    private boolean upgrades;
    private int hosts;

    RequestScanner() {
        super(State.START_LINE);
    }

    /** Whether the first line of its preface has come. */
    boolean isHttp2() {
        return isHttp2;
    }

    @Override
    boolean refusesAtStartOfLine(byte octet) {
        return switch (state()) {
            case HEADER_LINE -> octet == ' ' || octet == '\t';
            // The parser would skip spaces here.
            case CHUNK_SIZE -> Character.digit(octet, 16) < 0;
            default -> false;
        };
    }

    @Override
    void onStartLine(String text) {
        if (mayBeHttp2 && text.equals(HTTP_2_PREFACE)) {
            isHttp2 = true;
            goTo(State.UNTRACKED);
        } else if (isRequestLine(text)) {
            mayBeHttp2 = false;
            upgrades = false;
            hosts = 0;
            startHead(0);
        } else if (!text.isEmpty()) {
            refuse();
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

    @Override
    void onHeaderLine(String text) {
        if (isHeader(text, "upgrade:")) mayBeHttp2 = true;
        if (isHeader(text, "http2-settings:")) upgrades = true;
        if (isHeader(text, "host:")) hosts++;
    }

    @Override
    void onEndOfHead() {
        // Behind an upgrade the head is never looked at again, so its one Host is counted here.
        if (upgrades && hosts != 1) refuse();
        else startBody();
    }
}
