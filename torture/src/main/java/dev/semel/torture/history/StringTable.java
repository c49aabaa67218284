package dev.semel.torture.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Every text of a history, once, by number: a key stands in a dozen events, and a digest in several. */
final class StringTable {
    private final List<String> texts = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    /** The number of this text; -1 when it has none yet. */
    int find(String text) {
        return numbers.getOrDefault(text, -1);
    }

    int add(String text) {
        texts.add(text);
        numbers.put(text, texts.size() - 1);
        return texts.size() - 1;
    }

    String text(int number) {
        return texts.get(number);
    }

    int count() {
        return texts.size();
    }
}
