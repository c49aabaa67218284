package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BoardTest {
    private static final String GREEN = "\033[1;32m";
    private static final String RED = "\033[1;31m";
    private static final URI LONGEST = URI.create("http://127.0.0.1:65535");
    private static final Addresses PLACES = new Addresses(LONGEST, LONGEST, LONGEST, LONGEST);

    @Test
    void it_fits_on_a_terminal_of_eighty_columns_and_twenty_four_lines_whatever_the_numbers() {
        for (long number : new long[] {0, 7, 999_999}) {
            List<String> lines = lines(new Board(false, UTF_8), summary(number, number));
            assertTrue(lines.size() <= Board.HEIGHT, lines.size() + " lines");
            for (String line : lines) assertTrue(line.length() < 80, line.length() + ": " + line);
        }
    }

    @Test
    void a_side_without_double_charges_is_green_and_one_with_them_is_red() {
        String line = lines(new Board(true, UTF_8), summary(12, 3)).stream()
                .filter(each -> each.contains("DOUBLE CHARGES"))
                .findFirst()
                .orElseThrow();
        assertTrue(line.indexOf(GREEN) > 0 && line.indexOf(GREEN) < line.indexOf(RED), line);
        assertEquals("0", between(line, GREEN));
        assertEquals("3", between(line, RED));
    }

    @Test
    void without_colours_there_is_no_control_sequence_and_in_ascii_nothing_else() {
        String all = String.join("\n", lines(new Board(false, US_ASCII), summary(12, 0)));
        assertTrue(all.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 127)), all);
        assertTrue(all.contains("0.12 EUR"), all);
    }

    private static String between(String line, String colour) {
        int start = line.indexOf(colour) + colour.length();
        return line.substring(start, line.indexOf('\033', start)).strip();
    }

    private static List<String> lines(Board board, Summary summary) {
        return board.lines(summary, PLACES, "k kill");
    }

    private static Summary summary(long n, long bareDoubles) {
        SideCount with = new SideCount(n, n, n, n, n, n, n, 0, 0, n, n, n, n);
        SideCount bare = new SideCount(n, n, n, n, n, n, n, bareDoubles, n, n * 100, n, n, n);
        DemoGateway.Doubts doubts = new DemoGateway.Doubts(n, n, n);
        return new Summary(
                Duration.ofSeconds(n), with, bare, new IncidentCount(999, 999, 999, false, false, false, doubts));
    }
}
