package dev.semel.http.template;

import dev.semel.http.json.FieldReading;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes a natural key out of a request, such as {@code {header:X-Merchant}:{body:/invoice}}. A key is visible ASCII, and
 * no two lists of values make the same one: in values everything is percent-encoded that is not visible ASCII, and so
 * are {@code %} and every character that stands between two placeholders. Immutable, for use by any thread.
 */
public final class KeyTemplate {
    private final TemplateText template;
    private final PlaceholderReader reader;

    /** What stands for itself in a value. */
    private final BitSet plain = new BitSet();

    private KeyTemplate(TemplateText template) {
        this.template = template;
        this.reader = PlaceholderReader.of(template.placeholders());
        plain.set('!', '~' + 1);
        plain.clear('%');
        List<String> literals = template.literals();
        for (String between : literals.subList(1, literals.size() - 1))
            between.chars().forEach(plain::clear);
    }

    /**
     * Reads a template of at least one placeholder. Two placeholders have something between them, or nobody could tell
     * where one value ends.
     *
     * @throws IllegalArgumentException with what is wrong, when this cannot be a template for keys
     */
    public static KeyTemplate parse(String text, Set<Placeholder.Kind> allowed) {
        TemplateText template = TemplateText.parse(text, allowed);
        List<String> literals = template.literals();
        if (literals.size() == 1)
            throw new IllegalArgumentException("Without a placeholder every request has the same key: " + text);
        if (literals.subList(1, literals.size() - 1).contains(""))
            throw new IllegalArgumentException(
                    "Two placeholders need something between them, such as a colon: " + text);
        for (String literal : literals)
            if (literal.chars().anyMatch(c -> c < '!' || c > '~' || c == '%'))
                throw new IllegalArgumentException(
                        "Between placeholders stand visible ASCII characters other than %, not so in: " + text);
        return new KeyTemplate(template);
    }

    /** The names of the headers it takes values from. */
    public List<String> headers() {
        return template.placeholders().stream()
                .filter(Placeholder.Header.class::isInstance)
                .map(header -> ((Placeholder.Header) header).name())
                .toList();
    }

    public boolean needsBody() {
        return reader.needsBody();
    }

    public Rendering asKey(Values values) {
        List<FieldReading> found = reader.read(values);
        @Nullable Rendering missing = Rendering.missing(found);
        if (missing != null) return missing;
        StringBuilder key = new StringBuilder(64).append(template.literals().getFirst());
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i) instanceof FieldReading.Value(String value)) PercentText.append(key, value, plain);
            key.append(template.literals().get(i + 1));
        }
        return new Rendering.Text(key.toString());
    }

    /** Whether the other has the same text. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyTemplate that && template.equals(that.template);
    }

    @Override
    public int hashCode() {
        return template.hashCode();
    }

    /** The template as it was written. */
    @Override
    public String toString() {
        return template.text();
    }
}
