package dev.semel.examples.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BoardTest {
    private static final String GREEN = "\033[1;32m";
    private static final String RED = "\033[1;31m";

    @Test
    void it_fits_on_a_terminal_of_eighty_columns_whatever_the_numbers() {
        for (long number : new long[] {0, 7, 999_999}) {
            List<String> lines = new Board(false, UTF_8).lines(summary(number, number));
            assertEquals(Board.HEIGHT, lines.size());
            for (String line : lines) assertTrue(line.length() < 80, line.length() + ": " + line);
        }
    }

    @Test
    void no_double_charge_is_green_and_one_is_red() {
        assertTrue(verdict(0).startsWith(GREEN), verdict(0));
        assertTrue(verdict(1).startsWith(RED), verdict(1));
    }

    @Test
    void without_colours_there_is_no_control_sequence_and_in_ascii_nothing_else() {
        String all = String.join("\n", new Board(false, US_ASCII).lines(summary(12, 0)));
        assertTrue(all.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 127)), all);
    }

    private static String verdict(long doubleCharges) {
        return new Board(true, UTF_8).lines(summary(12, doubleCharges)).getLast();
    }

    private static Summary summary(long n, long doubleCharges) {
        return new Summary(Duration.ofSeconds(n), 12, n, n, n, n, n, n, n, n, n, n, n, doubleCharges, 0);
    }
}
