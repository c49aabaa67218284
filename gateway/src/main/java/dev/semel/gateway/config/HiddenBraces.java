package dev.semel.gateway.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file in which YAML does not take the braces of {@code ${NAME}} for those of a map. Each is replaced by a character
 * that the file has nowhere, so that all places stay what they were, and no value from the environment is read as YAML.
 * Immutable.
 */
final class HiddenBraces {
    /** Within one line and without quotes: whatever else begins like this is left to YAML as it is. */
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^\\s'\"{}]+)}");

    private static final char FIRST_PRIVATE = '\uE000';
    private static final char LAST_PRIVATE = '\uF8FF';

    private final String yaml;
    private final @Nullable Pair pair;

    private HiddenBraces(String yaml, @Nullable Pair pair) {
        this.yaml = yaml;
        this.pair = pair;
    }

    private record Pair(char open, char close) {}

    static HiddenBraces in(String file) {
        Matcher variables = VARIABLE.matcher(file);
        Pair pair = variables.find() ? unusedIn(file) : null;
        if (pair == null) return new HiddenBraces(file, null);
        return new HiddenBraces(variables.replaceAll("\\$" + pair.open() + "$1" + pair.close()), pair);
    }

    /** Null when the file has nearly all of them, which is then read as it is. */
    private static @Nullable Pair unusedIn(String file) {
        String lower = file.toLowerCase(Locale.ROOT);
        char open = 0;
        for (char c = FIRST_PRIVATE; c <= LAST_PRIVATE; c++) {
            // A double-quoted text can also name a character by its digits.
            if (file.indexOf(c) >= 0 || lower.contains(Integer.toHexString(c))) continue;
            if (open != 0) return new Pair(open, c);
            open = c;
        }
        return null;
    }

    /** What YAML may read. */
    String yaml() {
        return yaml;
    }

    /** A part of it as the author wrote it. */
    String shown(String text) {
        return pair == null ? text : text.replace(pair.open(), '{').replace(pair.close(), '}');
    }
}
