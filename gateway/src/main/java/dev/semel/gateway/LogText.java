package dev.semel.gateway;

import org.jspecify.annotations.Nullable;

/** Text of others on its way into a log: one line, and no longer than it should be. */
final class LogText {
    private static final int LONGEST = 300;

    private LogText() {}

    static String safe(@Nullable String text) {
        if (text == null) return "";
        String shorter = text.length() > LONGEST ? text.substring(0, LONGEST - 1) + "…" : text;
        return shorter.replace('"', '\'').replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "?");
    }
}
