package dev.semel.http;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a client would rather have (RFC 9110 §12.5.1). */
final class AcceptHeader {
    private static final Pattern WEIGHT = Pattern.compile("\\s*q\\s*=\\s*(0(?:\\.[0-9]{0,3})?|1(?:\\.0{0,3})?)\\s*");

    private final List<String> values;

    private AcceptHeader(List<String> values) {
        this.values = values;
    }

    static AcceptHeader of(Headers request) {
        return new AcceptHeader(request.all("Accept"));
    }

    /** Whether the one is asked for more than the other; not so when both are welcome alike. */
    boolean prefers(String type, String other) {
        return weight(type) > weight(other);
    }

    /** The weight that the most specific entry gives this type. */
    private double weight(String type) {
        double weight = 0;
        int specific = -1;
        for (String value : values)
            for (String entry : value.split(",", -1)) {
                String[] parts = entry.split(";", -1);
                int fits = specificity(parts[0].strip().toLowerCase(Locale.ROOT), type);
                if (fits <= specific) continue;
                specific = fits;
                weight = weight(parts);
            }
        return weight;
    }

    private static int specificity(String range, String type) {
        if (range.equals(type)) return 2;
        if (range.equals(type.substring(0, type.indexOf('/')) + "/*")) return 1;
        return range.equals("*/*") ? 0 : -1;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            Matcher weight = WEIGHT.matcher(parts[i].toLowerCase(Locale.ROOT));
            if (weight.matches()) return Double.parseDouble(weight.group(1));
        }
        return 1;
    }
}
