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
        Exclusions place = this;
        for (String step : Pointer.parse(pointer).steps())
            place = place.below.computeIfAbsent(step, name -> new Exclusions());
        place.here = true;
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
