package dev.semel.http.json;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A node of a trie of JSON pointers: one place in a document, with the pointers that name it or lead below it. */
final class PointerTrie {
    private final Map<String, PointerTrie> below = new HashMap<>();

    /** The indexes of the pointers that name this very place: two of them when one was given twice. */
    private final List<Integer> pointers = new ArrayList<>();

    private String text = "";

    void add(Pointer pointer, int index) {
        PointerTrie node = this;
        for (String step : pointer.steps()) node = node.below.computeIfAbsent(step, name -> new PointerTrie());
        node.pointers.add(index);
        node.text = pointer.text();
    }

    @Nullable
    PointerTrie below(String name) {
        return below.get(name);
    }

    @Nullable
    PointerTrie below(int index) {
        return below.isEmpty() ? null : below.get(Integer.toString(index));
    }

    boolean isNamed() {
        return !pointers.isEmpty();
    }

    List<Integer> pointers() {
        return pointers;
    }

    /** The pointer to this place, if one names it. */
    String text() {
        return text;
    }

    void forEachPointerBelow(IntConsumer action) {
        pointers.forEach(action::accept);
        below.values().forEach(node -> node.forEachPointerBelow(action));
    }
}
