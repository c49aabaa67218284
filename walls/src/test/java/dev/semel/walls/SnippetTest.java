package dev.semel.walls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every piece of Java in the README and the guides stands in a source file that is compiled, and mostly run. Pieces are
 * told apart by empty lines; white space and comments do not count.
 */
class SnippetTest {
    private static final Path ROOT =
            Path.of(System.getProperty("semel.root", "..")).toAbsolutePath().normalize();
    private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COMMENT = Pattern.compile("(?<![:\"])//[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);

    @Test
    void every_snippet_of_the_docs_is_compiled() throws IOException {
        List<String> sources = new ArrayList<>();
        for (Path file : files(ROOT, ".java")) sources.add(squeezed(Files.readString(file)));
        List<String> missing = new ArrayList<>();
        int found = 0;
        for (Path page : pages()) {
            Matcher snippet = SNIPPET.matcher(Files.readString(page));
            while (snippet.find())
                for (String piece : snippet.group(1).split("\n\\s*\n")) {
                    String code = squeezed(piece);
                    if (code.isEmpty()) continue;
                    if (sources.stream().anyMatch(it -> it.contains(code))) found++;
                    else missing.add(ROOT.relativize(page) + ":\n" + piece);
                }
        }
        assertEquals(List.of(), missing, "no source file has this");
        assertTrue(found >= 5, "only " + found + " pieces were found");
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(files(ROOT.resolve("docs"), ".md"));
        pages.add(ROOT.resolve("README.md"));
        return pages;
    }

    private static List<Path> files(Path below, String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(file -> file.toString().endsWith(suffix))
                    .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?(target|node_modules)/.*"))
                    .toList();
        }
    }

    private static String squeezed(String text) {
        return COMMENT.matcher(text).replaceAll("").replaceAll("\\s+", "");
    }
}
