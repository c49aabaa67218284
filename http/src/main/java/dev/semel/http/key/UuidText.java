package dev.semel.http.key;

/** UUIDs as RFC 9562 writes them: 32 hexadecimal digits of either case, in groups of 8, 4, 4, 4 and 12. */
final class UuidText {
    private static final int LENGTH = 36;
    private static final int VERSION_AT = 14;
    private static final int VARIANT_AT = 19;

    private UuidText() {}

    static boolean isUuid(String key) {
        if (key.length() != LENGTH) return false;
        for (int i = 0; i < LENGTH; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            if (dash ? key.charAt(i) != '-' : hex(key.charAt(i)) < 0) return false;
        }
        return true;
    }

    /** Whether a UUID is of this version, and of the variant for which versions are defined. */
    static boolean isVersion(String uuid, char version) {
        return uuid.charAt(VERSION_AT) == version && hex(uuid.charAt(VARIANT_AT)) >> 2 == 0b10;
    }

    /** The first 48 bits. */
    static long head(String uuid) {
        long bits = 0;
        for (int i = 0; i < 13; i++) if (i != 8) bits = bits << 4 | hex(uuid.charAt(i));
        return bits;
    }

    /** Of ASCII digits only: {@link Character#digit} knows many more. */
    private static int hex(char c) {
        if (c >= '0' && c <= '9') return c - '0';
        int letter = (c | 0x20) - 'a';
        return c < 0x80 && letter >= 0 && letter < 6 ? letter + 10 : -1;
    }
}
