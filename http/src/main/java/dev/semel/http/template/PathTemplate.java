package dev.semel.http.template;

import dev.semel.http.json.FieldReading;
import dev.semel.http.template.Rendering.Missing;
import dev.semel.http.template.Rendering.Text;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes path and query of a URL out of a request, such as {@code /v1/charges?idempotency_key={key}}. A value never
 * leaves its place: everything in it is percent-encoded but letters, digits and {@code - . _ ~}. Nor does it make a dot
 * segment, not even on a server that decodes slashes first: there is no path for such a value. Immutable, for use by
 * any thread.
 */
public final class PathTemplate {
    private static final BitSet UNRESERVED = new BitSet();

    static {
        for (int c = 0; c < 128; c++) UNRESERVED.set(c, PercentText.isUnreserved(c));
    }

    private final TemplateText template;
    private final PlaceholderReader reader;

    private PathTemplate(TemplateText template) {
        this.template = template;
        this.reader = PlaceholderReader.of(template.placeholders());
    }

    /**
     * Reads a template of a path, with or without a query, and any number of placeholders in either.
     *
     * @throws IllegalArgumentException with what is wrong, when this cannot be a template for paths
     */
    public static PathTemplate parse(String text, Set<Placeholder.Kind> allowed) {
        TemplateText template = TemplateText.parse(text, allowed);
        PathLiterals.check(template);
        return new PathTemplate(template);
    }

    public boolean uses(Placeholder.Kind kind) {
        return template.uses(kind);
    }

    public Rendering asPath(Values values) {
        List<FieldReading> found = reader.read(values);
        @Nullable Rendering missing = Rendering.missing(found);
        if (missing != null) return missing;
        StringBuilder target = new StringBuilder(64).append(template.literals().getFirst());
        StringBuilder plain = new StringBuilder(target);
        for (int i = 0; i < found.size(); i++) {
            if (!(found.get(i) instanceof FieldReading.Value(String value))) continue;
            String literal = template.literals().get(i + 1);
            PercentText.append(target, value, UNRESERVED);
            target.append(literal);
            // A question mark in a value ends nothing, and must not hide what follows it from the check.
            plain.append(value.replace('?', '_')).append(literal);
        }
        return PathLiterals.hasDotSegment(plain.toString())
                ? new Missing("A value would make a dot segment in a path, and cannot stand there.", false)
                : new Text(target.toString());
    }

    /** Whether the other has the same text. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PathTemplate that && template.equals(that.template);
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
