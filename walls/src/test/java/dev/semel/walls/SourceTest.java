package dev.semel.walls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How the source looks. To put it right: {@code mvn -q test -pl walls -am -Dtest=SourceTest -Dsemel.format=apply}. */
class SourceTest {
    private static final Path ROOT =
            Path.of(System.getProperty("semel.root", "..")).toAbsolutePath().normalize();
    private static final boolean APPLY = "apply".equals(System.getProperty("semel.format"));

    /** Split so that this file does not find itself. */
    private static final Pattern LEFT_OVER =
            Pattern.compile("TO" + "DO|FIX" + "ME|XX" + "X|@Dis" + "abled|@Ign" + "ore");

    /** A name says what a thing is. A class that stands in for one of another project has its name, and is not asked. */
    private static final Pattern NAMELESS =
            Pattern.compile("(.*(Manager|Util|Utils|Helper|Impl|Processor|Info|Data)|(Abstract|Base)[A-Z]\\w*)\\.java");

    /** Tests move a clock or await an event. */
    private static final Pattern SLEEP = Pattern.compile("Thread\\.sle" + "ep");

    @Test
    void every_file_is_formatted() throws Exception {
        Formatter formatter = Formatter.createFormatter(JavaFormatterOptions.builder()
                .style(JavaFormatterOptions.Style.PALANTIR)
                .build());
        List<Path> unformatted = javaFiles().parallelStream()
                .filter(file -> !isFormatted(file, formatter))
                .map(ROOT::relativize)
                .toList();
        assertEquals(
                List.of(), unformatted, "to format: mvn -q test -pl walls -am -Dtest=SourceTest -Dsemel.format=apply");
    }

    /** Also when it was made so just now. */
    private static boolean isFormatted(Path file, Formatter formatter) {
        try {
            String source = Files.readString(file);
            String formatted = formatter.formatSourceAndFixImports(source);
            if (formatted.equals(source)) return true;
            if (APPLY) Files.writeString(file, formatted);
            return APPLY;
        } catch (IOException | FormatterException e) {
            throw new IllegalStateException(file.toString(), e);
        }
    }

    @Test
    void nothing_is_left_over_and_no_test_sleeps() throws Exception {
        List<String> found = new ArrayList<>();
        for (Path file : javaFiles()) {
            List<String> lines = Files.readAllLines(file);
            boolean test =
                    file.toString().contains("src/test") || file.toString().contains("testkit");
            for (int i = 0; i < lines.size(); i++)
                if (LEFT_OVER.matcher(lines.get(i)).find()
                        || test && SLEEP.matcher(lines.get(i)).find())
                    found.add(ROOT.relativize(file) + ":" + (i + 1) + " "
                            + lines.get(i).strip());
        }
        assertEquals(List.of(), found);
    }

    @Test
    void names_say_what_a_thing_is() throws Exception {
        List<Path> nameless = javaFiles().stream()
                .filter(file -> file.toString().contains("dev/semel/"))
                .filter(file -> NAMELESS.matcher(file.getFileName().toString()).matches())
                .map(ROOT::relativize)
                .toList();
        assertEquals(List.of(), nameless);
    }

    private static List<Path> javaFiles() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("target/"))
                    .toList();
            if (found.size() < 50)
                throw new IllegalStateException("Too few sources under " + ROOT + ": " + found.size());
            return found;
        }
    }
}
