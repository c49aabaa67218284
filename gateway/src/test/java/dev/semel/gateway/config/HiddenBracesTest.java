package dev.semel.gateway.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

class HiddenBracesTest {
    private static final String[] PIECES = {
        "${A}", "${", "$", "{", "}", "[", "]", ",", ": ", ":", " ", "\n", "\n  ", "- ", "#", "'", "\"", "a", "b", "\\",
        "|\n  ", "\\uE000", "\uE000", "\uE001", "&x", "*x", "!t", "? ", "%"
    };

    /** The braces of a variable are never those of a map, so hiding them can only make more files readable. */
    @Test
    void every_file_that_yaml_can_read_as_it_is_says_the_same_at_the_same_places() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int compared = 0;
        for (int i = 0; i < 50_000; i++) {
            String file = file(random);
            String plain = told(file, UnaryOperator.identity());
            HiddenBraces hidden = HiddenBraces.in(file);
            if (plain == null || hidden.yaml().equals(file)) continue;
            assertEquals(plain, told(hidden.yaml(), hidden::shown), () -> "seed " + seed + ", file: " + file);
            compared++;
        }
        assertTrue(compared > 100, "seed " + seed + ": only " + compared);
    }

    private static String file(Random random) {
        StringBuilder file = new StringBuilder();
        int pieces = 1 + random.nextInt(12);
        for (int j = 0; j < pieces; j++) file.append(PIECES[random.nextInt(PIECES.length)]);
        return file.toString();
    }

    @Test
    void whatever_a_file_holds_it_is_read_or_told_what_is_wrong() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            String file = file(random);
            assertDoesNotThrow(
                    () -> ConfigReader.read(file, "semel.yaml", name -> "a: b", null),
                    () -> "seed " + seed + ", file: " + file);
        }
    }

    /** All that is in a file, with its places; null when it is no YAML. */
    private static @Nullable String told(String yaml, UnaryOperator<String> shown) {
        try {
            LoadSettings settings =
                    LoadSettings.builder().setAllowDuplicateKeys(true).build();
            StringBuilder told = new StringBuilder();
            new Compose(settings).composeString(yaml).ifPresent(root -> tell(root, shown, told, 0));
            return told.toString();
        } catch (YamlEngineException | IllegalArgumentException e) {
            return null;
        }
    }

    private static void tell(Node node, UnaryOperator<String> shown, StringBuilder told, int depth) {
        node.getStartMark()
                .ifPresent(mark -> told.append(mark.getLine()).append(':').append(mark.getColumn()));
        if (depth > 20) return; // a map that holds itself
        switch (node) {
            case ScalarNode scalar ->
                told.append('<').append(shown.apply(scalar.getValue())).append('>');
            case SequenceNode list -> list.getValue().forEach(item -> tell(item, shown, told, depth + 1));
            case MappingNode map -> {
                for (NodeTuple tuple : map.getValue()) {
                    tell(tuple.getKeyNode(), shown, told.append("k"), depth + 1);
                    tell(tuple.getValueNode(), shown, told.append("v"), depth + 1);
                }
            }
            default -> told.append(node.getNodeType());
        }
    }
}
