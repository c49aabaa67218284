package dev.semel.http.json;

import java.util.ArrayList;
import java.util.List;

/**
 * A JSON pointer (RFC 6901) to something inside a document. A step is the name of a member or, without leading zeros,
 * the index of an array element.
 *
 * @param text as it was written, {@code /items/0/id}
 * @param steps unescaped, at least one
 */
record Pointer(String text, List<String> steps) {

    /** @throws IllegalArgumentException when the text is not a JSON pointer, or names the whole body */
    static Pointer parse(String text) {
        if (text.isEmpty())
            throw new IllegalArgumentException(
                    "The empty JSON pointer names the whole body; what is wanted is something inside it.");
        if (text.charAt(0) != '/')
            throw new IllegalArgumentException("A JSON pointer begins with a slash, this one does not: " + text);
        List<String> steps = new ArrayList<>();
        for (String step : text.substring(1).split("/", -1)) steps.add(unescaped(step, text));
        return new Pointer(text, List.copyOf(steps));
    }

    private static String unescaped(String step, String pointer) {
        for (int i = step.indexOf('~'); i >= 0; i = step.indexOf('~', i + 1))
            if (i + 1 == step.length() || (step.charAt(i + 1) != '0' && step.charAt(i + 1) != '1'))
                throw new IllegalArgumentException(
                        "In a JSON pointer ~ stands before 0 (for ~) or 1 (for /), not so in: " + pointer);
        return step.replace("~1", "/").replace("~0", "~");
    }
}
