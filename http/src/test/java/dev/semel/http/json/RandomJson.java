package dev.semel.http.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes up documents, and spells one document in many ways. */
final class RandomJson {
    private static final String[] NAMES = {
        "a",
        "b",
        "aa",
        "B",
        "id",
        "amount",
        "",
        "\u20ac",
        "\r",
        "\ufb33",
        "1",
        "10",
        "\ud83d\ude00",
        "\u0080",
        "\u00f6",
        "~",
        "/",
        "sent\"At"
    };
    private static final String[] STRINGS = {
        "", "x", "EUR", "\u20ac\"\\/\b\f\n\r\t\u0001\u007f", "\ud83d\ude00", "0", "null"
    };
    private static final String[][] NUMBERS = {
        {"0", "-0", "0.0", "0e5", "-0E-7", "0.000e999999999"},
        {"1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000000000000000000000000000000"},
        {"100", "1e2", "100.00", "1E+2", "0.01e4"},
        {"-12.5", "-12.50", "-125e-1", "-1.25e1"},
        {"1e+21", "1E21", "1000000000000000000000", "1000000000000000000000.0"},
        {"100000000000000000000", "1e20"},
        {"0.000001", "1e-6", "0.0000010"},
        {"1e-7", "0.0000001", "10e-8"},
        {"9007199254740992", "9007199254740992.0", "9.007199254740992e15"},
        {"0.1", "1e-1", "0.10"},
        {"4.35", "435e-2", "4.3500"},
        {"5e-324", "5.0E-324", "0.5e-323"},
        {"1.7976931348623157e+308", "17976931348623157e292"}
    };

    private final Random random;

    RandomJson(Random random) {
        this.random = random;
    }

    /** Maps, lists, strings, booleans, and arrays of the spellings of one number. */
    Object document(int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> STRINGS[random.nextInt(STRINGS.length)];
            case 1, 2 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 3 -> random.nextInt(3) == 0 ? Void.class : random.nextBoolean();
            case 4 -> list(depth);
            default -> map(depth);
        };
    }

    private List<Object> list(int depth) {
        List<Object> list = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) list.add(document(depth - 1));
        return list;
    }

    private Map<String, Object> map(int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) map.put(NAMES[random.nextInt(NAMES.length)], document(depth - 1));
        return map;
    }

    /** Some spelling of the document: members, white space, escapes and numbers as chance has it. */
    String spell(Object document) {
        StringBuilder out = new StringBuilder();
        spell(document, out);
        return out.toString();
    }

    private void spell(Object value, StringBuilder out) {
        space(out);
        switch (value) {
            case Map<?, ?> map -> {
                out.append('{');
                List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
                Collections.shuffle(entries, random);
                for (int i = 0; i < entries.size(); i++) {
                    if (i > 0) out.append(',');
                    spell(entries.get(i).getKey(), out);
                    out.append(':');
                    spell(entries.get(i).getValue(), out);
                }
                out.append('}');
            }
            case List<?> list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    if (i > 0) out.append(',');
                    spell(list.get(i), out);
                }
                out.append(']');
            }
            case String string -> spellString(string, out);
            case String[] spellings -> out.append(spellings[random.nextInt(spellings.length)]);
            case Boolean bool -> out.append(bool);
            default -> out.append("null");
        }
        space(out);
    }

    private void spellString(String string, StringBuilder out) {
        out.append('"');
        for (char c : string.toCharArray()) {
            int known = "\"\\/\b\f\n\r\t".indexOf(c);
            boolean must = known == 0 || known == 1 || c < 0x20;
            if (random.nextInt(4) == 0 || (must && known < 0) || Character.isSurrogate(c))
                out.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
            else if (must || (known >= 0 && random.nextBoolean()))
                out.append('\\').append("\"\\/bfnrt".charAt(known));
            else out.append(c);
        }
        out.append('"');
    }

    private void space(StringBuilder out) {
        while (random.nextInt(4) == 0) out.append(" \t\n\r".charAt(random.nextInt(4)));
    }

    /** The same document with one thing in it changed. */
    Object changed(Object document) {
        return switch (document) {
            case Map<?, ?> map
            when !map.isEmpty() && random.nextInt(4) > 0 -> {
                Map<Object, Object> copy = new LinkedHashMap<>(map);
                Object name = new ArrayList<>(map.keySet()).get(random.nextInt(map.size()));
                if (random.nextInt(3) == 0) copy.remove(name);
                else copy.put(name, changed(copy.get(name)));
                yield copy;
            }
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>(map);
                copy.put("a new name", "x");
                yield copy;
            }
            case List<?> list
            when !list.isEmpty() && random.nextInt(4) > 0 -> {
                List<Object> copy = new ArrayList<>(list);
                int index = random.nextInt(copy.size());
                if (random.nextInt(3) == 0) copy.remove(index);
                else copy.set(index, changed(copy.get(index)));
                yield copy;
            }
            case List<?> list -> {
                List<Object> copy = new ArrayList<>(list);
                copy.add(List.of());
                yield copy;
            }
            case String string -> string + "!";
            case String[] number -> {
                int index = List.of(NUMBERS).indexOf(number);
                yield NUMBERS[(index + 1 + random.nextInt(NUMBERS.length - 1)) % NUMBERS.length];
            }
            case Boolean bool -> !bool;
            default -> "null";
        };
    }
}
