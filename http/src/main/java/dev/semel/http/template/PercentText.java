package dev.semel.http.template;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/** Percent-encoding (RFC 3986, section 2.1), of UTF-8. Different texts stay different as long as % is encoded itself. */
final class PercentText {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private PercentText() {}

    /** RFC 3986, section 2.3: what means the same everywhere in a URL. */
    static boolean isUnreserved(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~';
    }

    /** Appends the text, with everything encoded but the plain ASCII characters. */
    static void append(StringBuilder out, String text, BitSet plain) {
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet >= 0 && plain.get(octet)) out.append((char) octet);
            else out.append('%').append(HEX[(octet >> 4) & 0xf]).append(HEX[octet & 0xf]);
        }
    }
}
