package dev.semel.broker.nats;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Text in headers, which are ASCII: percent-encoded as CloudEvents does it in HTTP and NATS. */
final class HeaderText {
    private static final String HEX = "0123456789ABCDEF";

    private HeaderText() {}

    /** Whether it arrives as it is, whoever reads it. */
    static boolean isPlain(String text) {
        boolean ascii = text.chars().allMatch(it -> it >= ' ' && it < 0x7f);
        return ascii && !text.startsWith(" ") && !text.endsWith(" ");
    }

    static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        for (byte each : text.getBytes(UTF_8)) {
            boolean plain = each > ' ' && each < 0x7f && each != '"' && each != '%';
            if (plain) encoded.append((char) each);
            else encoded.append('%').append(HEX.charAt(each >> 4 & 15)).append(HEX.charAt(each & 15));
        }
        return encoded.toString();
    }

    /** What is no encoding stays as it is. */
    static String decode(String text) {
        if (text.indexOf('%') < 0) return text;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (text.charAt(i) == '%' && high >= 0 && low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else bytes.writeBytes(String.valueOf(text.charAt(i)).getBytes(UTF_8));
        }
        return bytes.toString(UTF_8);
    }
}
