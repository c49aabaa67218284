package dev.semel.http.json;

import java.util.Arrays;
import java.util.List;

/** Bytes being written, some of which may still change places. */
final class CanonicalBuffer {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int LONGEST_CHARACTER = 6;

    private byte[] bytes;
    private byte[] spare = {};
    private int length;

    CanonicalBuffer(int expected) {
        bytes = new byte[expected + LONGEST_CHARACTER];
    }

    int length() {
        return length;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    void ascii(char c) {
        reserve(1);
        bytes[length++] = (byte) c;
    }

    void ascii(String text) {
        reserve(text.length());
        for (int i = 0; i < text.length(); i++) bytes[length++] = (byte) text.charAt(i);
    }

    /** In quotes, with as few escapes as JSON allows. */
    void string(String text) throws NotCanonicalException {
        ascii('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            reserve(LONGEST_CHARACTER);
            if (c < 0x20 || c == '"' || c == '\\') escaped(c);
            else if (c < 0x80) bytes[length++] = (byte) c;
            else if (!Character.isSurrogate(c)) utf8(c);
            else utf8(pair(c, ++i < text.length() ? text.charAt(i) : 0));
        }
        ascii('"');
    }

    private void escaped(char c) {
        bytes[length++] = '\\';
        switch (c) {
            case '"', '\\' -> bytes[length++] = (byte) c;
            case '\b' -> bytes[length++] = 'b';
            case '\t' -> bytes[length++] = 't';
            case '\n' -> bytes[length++] = 'n';
            case '\f' -> bytes[length++] = 'f';
            case '\r' -> bytes[length++] = 'r';
            default -> {
                bytes[length++] = 'u';
                bytes[length++] = '0';
                bytes[length++] = '0';
                bytes[length++] = HEX[c >> 4];
                bytes[length++] = HEX[c & 0xf];
            }
        }
    }

    private static int pair(char high, char low) throws NotCanonicalException {
        if (!Character.isSurrogatePair(high, low)) throw new NotCanonicalException("A string holds half a character.");
        return Character.toCodePoint(high, low);
    }

    private void utf8(int codePoint) {
        if (codePoint < 0x800) {
            bytes[length++] = (byte) (0xc0 | codePoint >> 6);
        } else {
            if (codePoint < 0x10000) {
                bytes[length++] = (byte) (0xe0 | codePoint >> 12);
            } else {
                bytes[length++] = (byte) (0xf0 | codePoint >> 18);
                bytes[length++] = tail(codePoint >> 12);
            }
            bytes[length++] = tail(codePoint >> 6);
        }
        bytes[length++] = tail(codePoint);
    }

    private static byte tail(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }

    /** Puts members that stand one after the other from {@code start} to the end into the order of the list. */
    void reorder(int start, List<CanonicalWriter.Member> members) {
        int size = length - start;
        if (spare.length < size) spare = new byte[Math.max(size, 2 * spare.length)];
        System.arraycopy(bytes, start, spare, 0, size);
        length = start;
        for (CanonicalWriter.Member member : members) {
            int bytesOfMember = member.to() - member.from();
            if (bytesOfMember == 0) continue;
            if (length > start) bytes[length++] = ',';
            System.arraycopy(spare, member.from() - start, bytes, length, bytesOfMember);
            length += bytesOfMember;
        }
    }

    private void reserve(int more) {
        if (bytes.length - length < more) bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
    }
}
