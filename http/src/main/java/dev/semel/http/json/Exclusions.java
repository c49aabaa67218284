package dev.semel.http.json;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The excluded places below one place in a document. */
final class Exclusions {
    static final Exclusions NONE = new Exclusions();

    private final Map<String, Exclusions> below = new HashMap<>();
    private boolean here;

    private Exclusions() {}

    static Exclusions of(List<String> pointers) {
        if (pointers.isEmpty()) return NONE;
        Exclusions root = new Exclusions();
        for (String pointer : pointers) root.add(pointer);
        return root;
    }

    private void add(String pointer) {
        if (pointer.isEmpty())
            throw new IllegalArgumentException(
                    "The empty JSON pointer names the whole body, which cannot be excluded.");
        if (pointer.charAt(0) != '/')
            throw new IllegalArgumentException("A JSON pointer begins with a slash, this one does not: " + pointer);
        Exclusions place = this;
        for (String step : pointer.substring(1).split("/", -1))
            place = place.below.computeIfAbsent(unescaped(step, pointer), name -> new Exclusions());
        place.here = true;
    }

    private static String unescaped(String step, String pointer) {
        for (int i = step.indexOf('~'); i >= 0; i = step.indexOf('~', i + 1))
            if (i + 1 == step.length() || (step.charAt(i + 1) != '0' && step.charAt(i + 1) != '1'))
                throw new IllegalArgumentException(
                        "In a JSON pointer ~ stands before 0 (for ~) or 1 (for /), not so in: " + pointer);
        return step.replace("~1", "/").replace("~0", "~");
    }

    /** Whether this very place is excluded, with all below it. */
    boolean here() {
        return here;
    }

    Exclusions below(String name) {
        @Nullable Exclusions place = below.isEmpty() ? null : below.get(name);
        return place == null ? NONE : place;
    }

    Exclusions below(int index) {
        return below.isEmpty() ? NONE : below(Integer.toString(index));
    }
}
