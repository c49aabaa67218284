package dev.semel.torture.report;

import java.time.Duration;
import java.util.Locale;

/** Numbers, times and texts as a page shows them. */
final class Formats {
    private Formats() {}

    static String escaped(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                default -> out.append((c < ' ' && c != '\n') || c == 0xFFFE || c == 0xFFFF ? '\uFFFD' : c);
            }
        }
        return out.toString();
    }

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String counted(long number, String what) {
        return count(number) + " " + what + (number == 1 ? "" : "s");
    }

    /** Such as {@code 1 h 02 min} or {@code 3 min 20 s}. */
    static String duration(Duration time) {
        if (time.toHours() > 0)
            return String.format(Locale.ROOT, "%d h %02d min", time.toHours(), time.toMinutesPart());
        if (time.toMinutes() > 0)
            return time.toMinutes() + " min" + (time.toSecondsPart() == 0 ? "" : " " + time.toSecondsPart() + " s");
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }

    /** A moment of the run, such as {@code 2:05.120345}. */
    static String timestamp(long nanos) {
        long micros = nanos / 1000;
        long minutes = micros / 60_000_000;
        return String.format(Locale.ROOT, "%d:%09.6f", minutes, (micros - minutes * 60_000_000) / 1e6);
    }

    /** A coordinate. */
    static String at(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** The step of an axis: 1, 2 or 5 times a power of ten, so that there are five or so. */
    static double step(double most) {
        double rough = Math.max(most, 1e-9) / 5;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double lead = rough / power;
        return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
    }
}
