package dev.semel.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the bytes of a recorded response from front to back, and believes no length that goes beyond their end. */
final class ResponseReader {
    private static final int LONGEST_NUMBER_BITS = 28;

    private final byte[] bytes;
    private int at;

    ResponseReader(byte[] bytes) {
        this.bytes = bytes;
    }

    int octet() {
        if (at == bytes.length) throw cutShort();
        return bytes[at++] & 0xff;
    }

    Headers headers() {
        List<Headers.Field> fields = new ArrayList<>();
        for (int left = number(); left > 0; left--) fields.add(new Headers.Field(text(), text()));
        return Headers.of(fields);
    }

    private String text() {
        int length = length();
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return text;
    }

    byte[] body() {
        int length = length();
        if (length != bytes.length - at)
            throw new UnreadableOutcomeException("The recorded response goes on after its end.");
        return Arrays.copyOfRange(bytes, at, bytes.length);
    }

    private int length() {
        int length = number();
        if (length > bytes.length - at) throw cutShort();
        return length;
    }

    private int number() {
        int number = 0;
        for (int shift = 0; shift <= LONGEST_NUMBER_BITS; shift += 7) {
            int octet = octet();
            number |= (octet & 0x7f) << shift;
            if (octet < 0x80) {
                if (number < 0 || (shift == LONGEST_NUMBER_BITS && octet > 7)) break;
                return number;
            }
        }
        throw new UnreadableOutcomeException("The recorded response holds a number that is too large.");
    }

    private static UnreadableOutcomeException cutShort() {
        return new UnreadableOutcomeException("The recorded response ends too early.");
    }
}
