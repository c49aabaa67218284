package dev.semel.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a Content-Type header says (RFC 9110, section 8.3).
 *
 * @param type type and subtype, in lower case
 * @param parameters by name in lower case, sorted; values without quotes, the charset in lower case
 */
public record ContentType(String type, Map<String, String> parameters) {
    private static final int MAX_LENGTH = 1024;

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final Pattern TYPE = Pattern.compile("[ \t]*+(" + TOKEN + "/" + TOKEN + ")[ \t]*+");
    private static final Pattern PARAMETER = Pattern.compile(";[ \t]*+(?:(" + TOKEN + ")=(?:(" + TOKEN
            + ")|\"((?:[^\"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[\t -~])*+)\"))?+[ \t]*+");

    /** Null when it is malformed, or so long that nobody means it. */
    public static @Nullable ContentType parse(String header) {
        if (header.length() > MAX_LENGTH) return null;
        Matcher type = TYPE.matcher(header);
        if (!type.lookingAt()) return null;
        Map<String, String> parameters = new TreeMap<>();
        Matcher parameter = PARAMETER.matcher(header);
        int at = type.end();
        while (at < header.length()) {
            if (!parameter.region(at, header.length()).lookingAt() || !put(parameters, parameter)) return null;
            at = parameter.end();
        }
        return new ContentType(lower(type.group(1)), parameters);
    }

    /** False when there is a parameter of this name already: readers differ in which one they take. */
    private static boolean put(Map<String, String> parameters, Matcher parameter) {
        if (parameter.group(1) == null) return true;
        String name = lower(parameter.group(1));
        String quoted = parameter.group(3);
        String value = quoted == null ? parameter.group(2) : quoted.replaceAll("\\\\(.)", "$1");
        return parameters.put(name, name.equals("charset") ? lower(value) : value) == null;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    public boolean isJsonInUtf8() {
        return isJson() && parameters.getOrDefault("charset", "utf-8").equals("utf-8");
    }

    private boolean isJson() {
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** The same list for every spelling. JSON is UTF-8 by definition, so to say so adds nothing. */
    List<String> normal() {
        List<String> parts = new ArrayList<>(1 + 2 * parameters.size());
        parts.add(type);
        parameters.forEach((name, value) -> {
            if (name.equals("charset") && isJsonInUtf8()) return;
            parts.add(name);
            parts.add(value);
        });
        return parts;
    }
}
