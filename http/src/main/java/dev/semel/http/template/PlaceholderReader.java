package dev.semel.http.template;

import dev.semel.http.json.FieldReading;
import dev.semel.http.json.FieldReading.Nothing;
import dev.semel.http.json.FieldReading.Unusable;
import dev.semel.http.json.JsonExtractor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads several values of one request, and its body at most once. Immutable, for use by any thread. */
public final class PlaceholderReader {
    private final List<Placeholder> placeholders;
    private final JsonExtractor body;
    private final boolean needsBody;

    private PlaceholderReader(List<Placeholder> placeholders) {
        this.placeholders = List.copyOf(placeholders);
        List<String> pointers = new ArrayList<>();
        for (Placeholder placeholder : placeholders)
            if (placeholder instanceof Placeholder.Body inBody) pointers.add(inBody.pointer());
        this.body = JsonExtractor.of(pointers);
        this.needsBody = !pointers.isEmpty();
    }

    public static PlaceholderReader of(List<Placeholder> placeholders) {
        return new PlaceholderReader(placeholders);
    }

    /** Whether values come from the body too; if not, it is never asked for. */
    public boolean needsBody() {
        return needsBody;
    }

    /** What is found: one answer for each placeholder, in their order. */
    public List<FieldReading> read(Values values) {
        Iterator<FieldReading> inBody = (needsBody ? body.from(values.body()) : List.<FieldReading>of()).iterator();
        List<FieldReading> found = new ArrayList<>(placeholders.size());
        for (Placeholder placeholder : placeholders)
            found.add(
                    switch (placeholder) {
                        case Placeholder.Key key -> key(values);
                        case Placeholder.Header(String name) -> header(name, values.headers(name));
                        case Placeholder.Body pointer -> inBody.next();
                    });
        return found;
    }

    private static FieldReading key(Values values) {
        String key = values.key();
        return key == null ? new Nothing("There is no idempotency key.") : FieldReading.of(key, "The idempotency key");
    }

    private static FieldReading header(String name, List<String> values) {
        String header = "The " + name + " header";
        if (values.isEmpty()) return new Nothing(header + " is missing.");
        if (values.size() > 1) return new Unusable(header + " was sent " + values.size() + " times; send it once.");
        return FieldReading.of(withoutOuterSpace(values.getFirst()), header);
    }

    /** Space and tab only, as RFC 9110 says. */
    private static String withoutOuterSpace(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isSpace(value.charAt(from))) from++;
        while (from < to && isSpace(value.charAt(to - 1))) to--;
        return value.substring(from, to);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }
}
