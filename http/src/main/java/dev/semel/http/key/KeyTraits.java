package dev.semel.http.key;

import java.time.InstantSource;

/** What the characters of one key are like, found in one pass. */
final class KeyTraits {
    /** Shorter keys are too short, whatever they are made of. */
    private static final int SHORT = 8;

    /** Shorter keys are too short unless they are mixed. */
    private static final int LONG_ENOUGH = 16;

    /** Fewer different characters than this are not a mixture. */
    private static final int ENOUGH_DIFFERENT = 6;

    private static final long NEAR_SECONDS = 7 * 24 * 3600;

    private final String key;
    private int digits;
    private int lower;
    private int upper;
    private long low;
    private long high;

    KeyTraits(String key) {
        this.key = key;
        for (int i = 0; i < key.length(); i++) add(key.charAt(i));
    }

    private void add(char c) {
        if (isDigit(c)) digits++;
        else if (c >= 'a' && c <= 'z') lower++;
        else if (c >= 'A' && c <= 'Z') upper++;
        if (c < 64) low |= 1L << c;
        else high |= 1L << (c & 63);
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Few characters, or few different ones: two operations may well be given the same key by chance or habit. */
    boolean isShort() {
        if (key.length() < SHORT || isMonotonous()) return true;
        int classes = (digits > 0 ? 1 : 0) + (lower > 0 ? 1 : 0) + (upper > 0 ? 1 : 0);
        return key.length() < LONG_ENOUGH && (classes < 2 || different() < ENOUGH_DIFFERENT);
    }

    /** Made of one or two characters beside dashes, as the UUID of zeros is. */
    boolean isMonotonous() {
        return different() - (int) (low >> '-' & 1) <= 2;
    }

    private int different() {
        return Long.bitCount(low) + Long.bitCount(high);
    }

    /** Whether the whole key is a time, and two operations of the same moment so have the same key. */
    boolean isTime(InstantSource clock) {
        return digits == key.length() ? isEpochTime(clock) : isIsoTime();
    }

    /** Seconds, or milliseconds, microseconds or nanoseconds, of these days. */
    private boolean isEpochTime(InstantSource clock) {
        int length = key.length();
        if (length != 10 && length != 13 && length != 16 && length != 19) return false;
        long seconds = 0;
        for (int i = 0; i < 10; i++) seconds = 10 * seconds + (key.charAt(i) - '0');
        return Math.abs(seconds - clock.instant().getEpochSecond()) <= NEAR_SECONDS;
    }

    /** {@code 2026-01-01T12:00…} or {@code 20260101T12…}, with nothing after it but more of the like. */
    private boolean isIsoTime() {
        boolean extended = key.length() >= 16 && hasForm("9999-99-99T99:99");
        if (!extended && !(key.length() >= 11 && hasForm("99999999T99"))) return false;
        for (int i = 11; i < key.length(); i++)
            if (!isDigit(key.charAt(i)) && ":.,+-Zz".indexOf(key.charAt(i)) < 0) return false;
        return true;
    }

    private boolean hasForm(String form) {
        for (int i = 0; i < form.length(); i++) {
            boolean fits = form.charAt(i) == '9' ? isDigit(key.charAt(i)) : key.charAt(i) == form.charAt(i);
            if (!fits && !(form.charAt(i) == 'T' && (key.charAt(i) == 't' || key.charAt(i) == '_'))) return false;
        }
        return true;
    }

    /** The kinds of the first characters, and none of the characters themselves: {@code AAA-9999}. */
    String shape() {
        int shown = Math.min(key.length(), 24);
        StringBuilder shape = new StringBuilder(shown + 1);
        for (int i = 0; i < shown; i++) shape.append(kindOf(key.charAt(i)));
        return shown < key.length() ? shape.append('…').toString() : shape.toString();
    }

    private static char kindOf(char c) {
        if (isDigit(c)) return '9';
        if (c >= 'a' && c <= 'z') return 'a';
        if (c >= 'A' && c <= 'Z') return 'A';
        return "-_.:/".indexOf(c) >= 0 ? c : '?';
    }
}
