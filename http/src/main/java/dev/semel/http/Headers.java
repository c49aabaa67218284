package dev.semel.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Header fields in the order in which they stood, repeated ones included. Names are compared without regard to case. */
public final class Headers implements Iterable<Headers.Field> {
    public static final Headers NONE = new Headers(List.of());

    private final List<Field> fields;

    private Headers(List<Field> fields) {
        this.fields = fields;
    }

    public record Field(String name, String value) {}

    public static Headers of(List<Field> fields) {
        return fields.isEmpty() ? NONE : new Headers(List.copyOf(fields));
    }

    /** The first value under this name, or null. */
    public @Nullable String first(String name) {
        for (Field field : fields) if (field.name().equalsIgnoreCase(name)) return field.value();
        return null;
    }

    public List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (Field field : fields) if (field.name().equalsIgnoreCase(name)) values.add(field.value());
        return values;
    }

    public Headers with(String name, String value) {
        List<Field> more = new ArrayList<>(fields.size() + 1);
        more.addAll(fields);
        more.add(new Field(name, value));
        return new Headers(more);
    }

    /** Without the fields whose name, in lower case, the test says to drop. */
    public Headers without(Predicate<String> dropped) {
        List<Field> kept = new ArrayList<>(fields.size());
        for (Field field : fields) if (!dropped.test(field.name().toLowerCase(Locale.ROOT))) kept.add(field);
        return new Headers(kept);
    }

    public int size() {
        return fields.size();
    }

    @Override
    public Iterator<Field> iterator() {
        return fields.iterator();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Headers that && fields.equals(that.fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
