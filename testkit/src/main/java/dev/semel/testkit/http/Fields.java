package dev.semel.testkit.http;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Header fields as they stood on the wire: in order, repeated ones included, one char per byte. Immutable. */
public final class Fields implements Iterable<Fields.Field> {
    public static final Fields NONE = new Fields(List.of());

    private final List<Field> fields;

    private Fields(List<Field> fields) {
        this.fields = fields;
    }

    public record Field(String name, String value) {
        @Override
        public String toString() {
            return name + ": " + value;
        }
    }

    /** Names and values in turn. */
    public static Fields of(String... namesAndValues) {
        Fields fields = NONE;
        for (int i = 0; i < namesAndValues.length; i += 2)
            fields = fields.with(namesAndValues[i], namesAndValues[i + 1]);
        return fields;
    }

    static Fields of(List<Field> fields) {
        return new Fields(List.copyOf(fields));
    }

    public Fields with(String name, String value) {
        List<Field> more = new ArrayList<>(fields);
        more.add(new Field(name, value));
        return of(more);
    }

    public boolean has(String name) {
        return first(name) != null;
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

    /** The values of every name, names in lower case: what is left when the order between names does not matter. */
    public Map<String, List<String>> byName() {
        Map<String, List<String>> byName = new TreeMap<>();
        for (Field field : fields)
            byName.computeIfAbsent(field.name().toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(field.value());
        return byName;
    }

    @Override
    public Iterator<Field> iterator() {
        return fields.iterator();
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
