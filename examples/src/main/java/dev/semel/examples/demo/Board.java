package dev.semel.examples.demo;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The picture on the terminal: what the network does, and under it what becomes of the money. */
record Board(boolean colours, Charset charset) {
    /** One less than the usual terminal has. */
    static final int WIDTH = 79;

    static final int HEIGHT = 13;

    private static final String BOLD = "1";
    private static final String DIM = "2";
    private static final String BOLD_GREEN = "1;32";
    private static final String BOLD_RED = "1;31";

    List<String> lines(Summary now) {
        return List.of(
                title(now),
                rule(),
                line("payments completed", now.payments(), rate(now) + " a second, each retried until answered"),
                line(
                        "requests sent",
                        now.requests(),
                        number(now.duplicates()) + " of them duplicates (retries, bursts)"),
                "",
                line("answers lost", now.answersLost(), "charged, but the shopper never heard of it"),
                line("time-outs", now.timeOuts(), "the answer came too late"),
                line("requests cut", now.requestsCut(), "broken off half-way"),
                "",
                line("duplicates absorbed", now.absorbed(), "answered from memory, or told to wait"),
                line("charges made", now.charges(), "entries in the payment service's ledger"),
                line("double without Semel", now.repeats(), "duplicates that got through the network"),
                verdict(now));
    }

    private String title(Summary now) {
        String story = now.shoppers() + " shoppers pay over a network that loses answers";
        return paint(BOLD, "  Semel demo   ") + String.format(Locale.ROOT, "%-56s%8s", story, clock(now.elapsed()));
    }

    private String rule() {
        String dash = charset.newEncoder().canEncode('─') ? "─" : "-";
        return paint(DIM, "  " + dash.repeat(WIDTH - 2));
    }

    private String line(String label, long count, String gloss) {
        return String.format(Locale.ROOT, "  %-21s%9s   ", label, number(count)) + paint(DIM, gloss);
    }

    private String verdict(Summary now) {
        String text = String.format(Locale.ROOT, "  %-21s%9s   ", "DOUBLE CHARGES", number(now.doubleCharges()));
        return now.doubleCharges() == 0
                ? paint(BOLD_GREEN, text + "every payment is charged once")
                : paint(BOLD_RED, text + "customers paid more than once");
    }

    private String paint(String style, String text) {
        return colours ? "\033[" + style + "m" + text + "\033[0m" : text;
    }

    private static String rate(Summary now) {
        double seconds = Math.max(1, now.elapsed().toMillis()) / 1000.0;
        return String.format(Locale.ROOT, "%.1f", now.payments() / seconds);
    }

    private static String clock(Duration elapsed) {
        return String.format(Locale.ROOT, "%d:%02d", elapsed.toMinutes(), elapsed.toSecondsPart());
    }

    private static String number(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }
}
