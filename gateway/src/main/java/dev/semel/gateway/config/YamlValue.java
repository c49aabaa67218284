package dev.semel.gateway.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A value in the file that knows where it stands, and reports what is wrong with it without stopping the reading. */
final class YamlValue {
    private final Node node;
    private final Reading reading;

    YamlValue(Node node, Reading reading) {
        this.node = node;
        this.reading = reading;
    }

    /** What goes along with reading one file. */
    record Reading(
            String file,
            HiddenBraces text,
            Function<String, @Nullable String> environment,
            Consumer<ConfigProblem> problems) {}

    void wrong(String message) {
        reading.problems().accept(problem(message));
    }

    boolean isMap() {
        return node instanceof MappingNode;
    }

    /** The entries of a map with only these names; everything else in it is reported. */
    Map<String, YamlValue> map(String what, Set<String> names, Map<String, String> notYet) {
        Map<String, YamlValue> entries = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            wrong(what + " must be a map of names and values");
            return entries;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            YamlValue key = new YamlValue(tuple.getKeyNode(), reading);
            String name = key.text();
            YamlValue value = new YamlValue(tuple.getValueNode(), reading);
            if (name == null) continue;
            if (notYet.containsKey(name))
                key.wrong("'" + name + "' is not available in this version: " + notYet.get(name));
            else if (!names.contains(name)) key.wrong(unknown(name, what, names));
            else if (entries.put(name, value) != null) key.wrong("'" + name + "' stands twice in " + what);
        }
        return entries;
    }

    private static String unknown(String name, String what, Set<String> names) {
        String meant = Spelling.nearest(name, names);
        return "unknown name '" + name + "' in " + what
                + (meant == null
                        ? "; known are "
                                + String.join(", ", names.stream().sorted().toList())
                        : ". Did you mean '" + meant + "'?");
    }

    /** The entries of a map as they stand there, by name, without a word about what is wrong with them. */
    Map<String, YamlValue> entries() {
        Map<String, YamlValue> entries = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) return entries;
        for (NodeTuple tuple : mapping.getValue())
            if (tuple.getKeyNode() instanceof ScalarNode name)
                entries.put(name.getValue(), new YamlValue(tuple.getValueNode(), reading));
        return entries;
    }

    /** For messages about it that can be written only when more is known than the file. */
    ConfigProblem problem(String message) {
        return node.getStartMark()
                .map(mark -> new ConfigProblem(reading.file(), mark.getLine() + 1, mark.getColumn() + 1, message))
                .orElseGet(() -> new ConfigProblem(reading.file(), 1, 1, message));
    }

    int line() {
        return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
    }

    /** The entries of a map with any names that the check lets through; it says what is wrong with the others. */
    Map<String, YamlValue> mapOfAny(String what, Function<String, String> check) {
        Map<String, YamlValue> entries = new LinkedHashMap<>();
        if (!(node instanceof MappingNode mapping)) {
            wrong(what + " must be a map of names and values");
            return entries;
        }
        for (NodeTuple tuple : mapping.getValue()) {
            YamlValue key = new YamlValue(tuple.getKeyNode(), reading);
            String name = key.orNull(check);
            if (name != null && entries.put(name, new YamlValue(tuple.getValueNode(), reading)) != null)
                key.wrong("'" + name + "' stands twice in " + what);
        }
        return entries;
    }

    List<YamlValue> list(String what) {
        List<YamlValue> values = new ArrayList<>();
        if (node instanceof SequenceNode sequence) {
            for (Node item : sequence.getValue()) values.add(new YamlValue(item, reading));
        } else {
            wrong(what + " must be a list");
        }
        return values;
    }

    boolean isList() {
        return node instanceof SequenceNode;
    }

    /** The scalar with {@code ${NAME}} taken from the environment; null (and reported) when it is none. */
    @Nullable
    String text() {
        if (!(node instanceof ScalarNode scalar)) {
            wrong("expected a single value here");
            return null;
        }
        return substituted(reading.text().shown(scalar.getValue()));
    }

    private @Nullable String substituted(String raw) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (true) {
            int open = raw.indexOf("${", at);
            if (open < 0) return text.append(raw, at, raw.length()).toString();
            int close = raw.indexOf('}', open);
            if (close < 0) {
                wrong("'${' without a closing '}'");
                return null;
            }
            String name = raw.substring(open + 2, close);
            String value = reading.environment().apply(name);
            if (value == null) {
                wrong("the environment has no variable " + name + "; set it or remove ${" + name + "}");
                return null;
            }
            text.append(raw, at, open).append(value);
            at = close + 1;
        }
    }

    /** The scalar as read by the parser; the default (and a report) when it is not one, or the parser refuses it. */
    <T> T as(Function<String, T> parser, T otherwise) {
        T value = orNull(parser);
        return value == null ? otherwise : value;
    }

    /** As {@link #as}, with nothing to fall back on. */
    <T> @Nullable T orNull(Function<String, T> parser) {
        String text = text();
        if (text == null) return null;
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            wrong(String.valueOf(e.getMessage()));
            return null;
        }
    }
}
