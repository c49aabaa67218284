package dev.semel.cli.plan;

import dev.semel.http.DurationText;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the numbers of a plan are read and written: with three digits, for none of them is worth more. */
public final class PlanText {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})(B|KB|KiB|MB|MiB)?");
    private static final String[] BYTES = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    private static final String[] COUNTS = {"", " k", " M", " G", " T"};
    private static final double THOUSAND = 1000;

    private PlanText() {}

    /** @throws IllegalArgumentException when the text is no size, such as 200, 1KB or 64KiB */
    public static long size(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches())
            throw new IllegalArgumentException(
                    "'" + text + "' is not a size; write a number of bytes, or one with KB, KiB, MB or MiB");
        long number = Long.parseLong(size.group(1));
        long unit = switch (size.group(2) == null ? "B" : size.group(2)) {
            case "KB" -> 1000;
            case "KiB" -> 1024;
            case "MB" -> 1_000_000;
            case "MiB" -> 1024 * 1024;
            default -> 1;
        };
        if (number > (1L << 40) / unit) throw new IllegalArgumentException("'" + text + "' is more than a terabyte");
        return number * unit;
    }

    static String time(Duration time) {
        // A day is told in hours, as retentions are.
        return time.equals(Duration.ofDays(1)) ? "24h" : DurationText.of(time);
    }

    static String bytes(long bytes) {
        return bytes((double) bytes);
    }

    static String bytes(double bytes) {
        int unit = 0;
        for (; bytes >= 999.5 && unit < BYTES.length - 1; unit++) bytes /= THOUSAND;
        return digits(bytes) + " " + BYTES[unit];
    }

    static String count(double count) {
        int unit = 0;
        for (; count >= 99_999.5 || (unit > 0 && count >= 999.5); unit++) {
            if (unit == COUNTS.length - 1) break;
            count /= THOUSAND;
        }
        return (unit == 0 ? whole(count) : digits(count)) + COUNTS[unit];
    }

    /** A whole number with its thousands apart; of what is below ten, its fraction too. */
    static String whole(double number) {
        return number < 10 && number != Math.rint(number)
                ? digits(number)
                : String.format(Locale.ROOT, "%,.0f", number);
    }

    static String money(double dollars) {
        return dollars == 0 ? "-" : dollars < 10 ? String.format(Locale.ROOT, "%.2f", dollars) : whole(dollars);
    }

    static String digits(double value) {
        String form = value >= 99.95 || value == 0 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, form, value);
    }
}
