package dev.semel.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The map in the README leads from every step of the model to code that is there. */
class MapTest {
    static final Path ROOT = Model.SOURCES.resolve("../../../..").normalize();
    static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|[^|\\n]*\\|([^|\\n]*)\\|$");
    static final Pattern METHOD = Pattern.compile("`(\\w+)\\.(\\w+)`");

    @Test
    void every_step_is_on_the_map() throws Exception {
        String algorithm = Files.readString(Model.SOURCES.resolve("Semel.tla")).split("BEGIN TRANSLATION")[0];
        Set<String> steps = found(Pattern.compile("(?m)^([A-Z]\\w+):"), algorithm);
        assertTrue(steps.size() > 10, steps.toString());
        assertEquals(steps, found(ROW, map()));
    }

    @Test
    void every_method_on_the_map_is_there() throws Exception {
        List<String> missing = new ArrayList<>();
        int methods = 0;
        Matcher row = ROW.matcher(map());
        while (row.find()) {
            Matcher method = METHOD.matcher(row.group(2));
            while (method.find()) {
                methods++;
                if (!declares(method.group(1), method.group(2))) missing.add(method.group());
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(methods > 20, methods + " methods");
    }

    @Test
    void a_method_that_is_not_there_is_missed() throws Exception {
        assertTrue(declares("ClaimRules", "onComplete"));
        assertTrue(!declares("ClaimRules", "onFinishing"));
        assertTrue(!declares("HolderWrites", "find"), "called there, but declared elsewhere");
    }

    @Test
    void every_law_and_every_rule_is_explained() throws Exception {
        Set<String> rules = found(
                Pattern.compile("Broken\\(\"([\\w ,-]+)\"\\)"), Files.readString(Model.SOURCES.resolve("Semel.tla")));
        assertTrue(rules.size() > 10, rules.toString());
        Set<String> unexplained = new TreeSet<>();
        for (String rule : rules) if (!map().contains("`" + rule + "`")) unexplained.add(rule);
        Set<String> laws =
                found(Pattern.compile("(?m)^([A-Z]\\w+) ==$"), Files.readString(Model.SOURCES.resolve("Laws.tla")));
        for (String law : laws) if (!map().contains("`" + law + "`")) unexplained.add(law);
        assertEquals(Set.of(), unexplained);
    }

    private static String map() throws IOException {
        return Files.readString(ROOT.resolve("model/README.md"));
    }

    static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) found.add(matcher.group(1));
        return found;
    }

    /** A declaration is indented once, and says what it gives back before its name. */
    static boolean declares(String type, String method) throws IOException {
        Pattern declaration = Pattern.compile("(?m)^ {4}(?:[\\w@.<>?\\[\\],]+ )+" + method + "\\(");
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(it -> it.endsWith(type + ".java"))
                    .filter(it -> it.toString().contains("src/main"))
                    .toList()) if (declaration.matcher(Files.readString(file)).find()) return true;
        }
        return false;
    }
}
