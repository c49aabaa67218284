package dev.semel.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The same as {@link MapTest} for the hand-over of messages. */
class HandOverMapTest {
    @Test
    void every_step_is_on_the_map() throws Exception {
        Matcher next = Pattern.compile("(?s)\nNext ==(.*?)\n\n").matcher(model());
        assertTrue(next.find());
        Set<String> steps = MapTest.found(Pattern.compile("([A-Z]\\w+)\\([mr]\\)"), next.group(1));
        assertEquals(steps, MapTest.found(MapTest.ROW, map()));
    }

    @Test
    void every_method_on_the_map_is_there() throws Exception {
        List<String> missing = new ArrayList<>();
        int methods = 0;
        Matcher row = MapTest.ROW.matcher(map());
        while (row.find()) {
            Matcher method = MapTest.METHOD.matcher(row.group(2));
            while (method.find()) {
                methods++;
                if (!MapTest.declares(method.group(1), method.group(2))) missing.add(method.group());
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(methods > 20, methods + " methods");
    }

    @Test
    void every_law_and_every_rule_is_explained() throws Exception {
        Set<String> said = MapTest.found(Pattern.compile("Broken\\(\"([\\w ,-]+)\"\\)"), model());
        assertTrue(said.size() > 10, said.toString());
        said.addAll(MapTest.found(Pattern.compile("(?m)^([A-Z]\\w+) ==(?: ~\\w+)?$"), model().split("the laws")[1]));
        Set<String> unexplained = new TreeSet<>();
        for (String word : said) if (!map().contains("`" + word + "`")) unexplained.add(word);
        assertEquals(Set.of(), unexplained);
    }

    private static String model() throws Exception {
        return Files.readString(Model.SOURCES.resolve("HandOver.tla"));
    }

    private static String map() throws Exception {
        return Files.readString(MapTest.ROOT.resolve("model/HAND-OVER.md"));
    }
}
