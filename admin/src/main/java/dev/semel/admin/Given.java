package dev.semel.admin;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The members of a JSON object that someone sent, with a word for whatever is wrong with them. */
final class Given {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h|d)");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final Map<?, ?> members;

    private Given(Map<?, ?> members) {
        this.members = members;
    }

    /** @throws IllegalArgumentException for members that are not among these names */
    static Given of(Map<?, ?> members, Set<String> names) {
        for (Object name : members.keySet())
            if (!names.contains(name))
                throw new IllegalArgumentException("'" + name + "' is none of "
                        + String.join(", ", names.stream().sorted().toList()));
        return new Given(members);
    }

    @Nullable
    Object value(String name) {
        return members.get(name);
    }

    @Nullable
    String text(String name) {
        Object value = value(name);
        if (value == null || value instanceof String) return (String) value;
        throw new IllegalArgumentException("'" + name + "' must be a string");
    }

    /** A line of text that can stand in a history and in a log. */
    @Nullable
    String line(String name, int longest) {
        String text = text(name);
        if (text != null
                && (text.isBlank()
                        || text.length() > longest
                        || CONTROL.matcher(text).find()))
            throw new IllegalArgumentException("'" + name + "' must be one line of 1 to " + longest + " characters");
        return text;
    }

    @Nullable
    Long number(String name) {
        Object value = value(name);
        if (value == null) return null;
        if (value instanceof Integer || value instanceof Long) return ((Number) value).longValue();
        throw new IllegalArgumentException("'" + name + "' must be a whole number");
    }

    boolean isTrue(String name) {
        Object value = value(name);
        if (value == null) return false;
        if (value instanceof Boolean flag) return flag;
        throw new IllegalArgumentException("'" + name + "' must be true or false");
    }

    Duration duration(String name, Duration otherwise) {
        String text = text(name);
        if (text == null) return otherwise;
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches())
            throw new IllegalArgumentException("'" + name + "' must be a duration, such as 90s, 24h or 30d");
        long number = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
