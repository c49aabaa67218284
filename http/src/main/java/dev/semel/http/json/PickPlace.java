package dev.semel.http.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** One place in a document, with all that is picked there and below. */
final class PickPlace {
    private final Map<String, PickPlace> below = new HashMap<>();

    /** Which pointers name this very place: two of them when one was given twice. */
    private final List<Integer> picks = new ArrayList<>();

    private String text = "";

    void add(Pointer pointer, int pick) {
        PickPlace place = this;
        for (String step : pointer.steps()) place = place.below.computeIfAbsent(step, name -> new PickPlace());
        place.picks.add(pick);
        place.text = pointer.text();
    }

    @Nullable
    PickPlace below(String name) {
        return below.get(name);
    }

    @Nullable
    PickPlace below(int index) {
        return below.isEmpty() ? null : below.get(Integer.toString(index));
    }

    boolean isPicked() {
        return !picks.isEmpty();
    }

    List<Integer> picks() {
        return picks;
    }

    /** The pointer to this place, if it is picked. */
    String text() {
        return text;
    }

    void forEachPickBelow(IntConsumer action) {
        picks.forEach(action::accept);
        below.values().forEach(place -> place.forEachPickBelow(action));
    }
}
