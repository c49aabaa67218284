package dev.semel.http.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A template taken apart: literal, placeholder, literal, placeholder, …, literal.
 *
 * @param literals one more than placeholders; some may be empty
 */
record TemplateText(String text, List<String> literals, List<Placeholder> placeholders) {

    /** A brace never stands for itself, so that a mistyped placeholder is not taken for text. */
    static TemplateText parse(String text, Set<Placeholder.Kind> allowed) {
        List<String> literals = new ArrayList<>();
        List<Placeholder> placeholders = new ArrayList<>();
        int at = 0;
        for (int open = text.indexOf('{'); open >= 0; open = text.indexOf('{', at)) {
            int close = text.indexOf('}', open);
            int next = text.indexOf('{', open + 1);
            if (close < 0 || (next >= 0 && next < close))
                throw new IllegalArgumentException(
                        "The brace at character " + (open + 1) + " is not closed in: " + text);
            literals.add(literal(text, at, open));
            placeholders.add(Placeholder.parse(text.substring(open + 1, close), allowed));
            at = close + 1;
        }
        literals.add(literal(text, at, text.length()));
        return new TemplateText(text, List.copyOf(literals), List.copyOf(placeholders));
    }

    private static String literal(String text, int from, int to) {
        String literal = text.substring(from, to);
        if (literal.indexOf('}') >= 0)
            throw new IllegalArgumentException("A closing brace without an opening one is in: " + text);
        return literal;
    }

    boolean uses(Placeholder.Kind kind) {
        return placeholders.stream().anyMatch(placeholder -> placeholder.kind() == kind);
    }
}
