package dev.semel.examples.demo.messages;

import static java.util.Locale.ROOT;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The picture on the terminal: both sides beside each other, what is broken, how a message travels, and the keys. */
record MessagesBoard(boolean colours, Charset charset) {
    /** One less than the usual terminal has. */
    static final int WIDTH = 79;

    /** No more than the usual terminal has. */
    static final int HEIGHT = 24;

    private static final String PLAIN = "";
    private static final String BOLD = "1";
    private static final String DIM = "2";
    private static final String BOLD_GREEN = "1;32";
    private static final String BOLD_RED = "1;31";

    static final List<String> ROADS = List.of(
            "with Semel: order + message in one transaction -> relay -> broker -> inbox",
            "without:    order, then send it, in three tries at most -> broker");

    List<String> lines(MessagesSummary now, String hint) {
        List<String> lines = new ArrayList<>();
        lines.add(title(now));
        lines.add(rule());
        lines.addAll(table(now));
        lines.add("");
        lines.addAll(incidents(now));
        lines.add(rule());
        for (String road : ROADS) lines.add("  " + paint(DIM, road));
        lines.add("");
        lines.add("  " + paint(BOLD, hint));
        return lines;
    }

    private String title(MessagesSummary now) {
        String story = "orders become invoices over a bad broker, twice";
        return paint(BOLD, "  Semel demo   ") + String.format(ROOT, "%-56s%8s", story, clock(now.elapsed()));
    }

    private String rule() {
        String dash = charset.newEncoder().canEncode('─') ? "─" : "-";
        return paint(DIM, "  " + dash.repeat(WIDTH - 2));
    }

    /** The same for both sides, line by line. */
    List<String> table(MessagesSummary now) {
        MessagesCount with = now.with();
        MessagesCount bare = now.bare();
        return List.of(
                row(BOLD, "", "with Semel", "without Semel", ""),
                row("orders placed", with.orders(), bare.orders(), "each needs one invoice"),
                row("sends refused", with.refused(), bare.refused(), "the broker is away"),
                row("answers lost", with.answersLost(), bare.answersLost(), "so it is sent again"),
                row("delivered again", with.redelivered(), bare.redelivered(), "\"done\" was not heard"),
                row("duplicates absorbed", with.absorbed(), bare.absorbed(), "the inbox knew them"),
                row("invoices written", with.invoices(), bare.invoices(), ""),
                row("on the way", with.onTheWay(), bare.onTheWay(), "not lost, only late"),
                result("LOST", with.lost(), bare.lost(), number(with.lost()), number(bare.lost())),
                result("BILLED TWICE", with.twice(), bare.twice(), number(with.twice()), number(bare.twice())),
                result("MONEY WRONG", wrong(with), wrong(bare), euros(wrong(with)), euros(wrong(bare))));
    }

    private static long wrong(MessagesCount side) {
        return side.lostCents() + side.twiceCents();
    }

    private String row(String label, long with, long bare, String gloss) {
        return row(PLAIN, label, number(with), number(bare), gloss);
    }

    private String row(String style, String label, String with, String bare, String gloss) {
        return paint(style, String.format(ROOT, "  %-22s%13s%17s", label, with, bare)) + "   " + paint(DIM, gloss);
    }

    /** Green for a side on which nothing is wrong, red for the other. */
    private String result(String label, long with, long bare, String withText, String bareText) {
        return paint(BOLD, String.format(ROOT, "  %-22s", label))
                + paint(with == 0 ? BOLD_GREEN : BOLD_RED, String.format(ROOT, "%13s", withText))
                + paint(bare == 0 ? BOLD_GREEN : BOLD_RED, String.format(ROOT, "%17s", bareText));
    }

    private List<String> incidents(MessagesSummary now) {
        return List.of(
                "  shops and relay " + state(now.shopsUp(), "up", "DOWN") + ", killed " + times(now.kills())
                        + "; billing " + state(now.billingUp(), "up", "DOWN") + ", crashed " + times(now.crashes()),
                "  brokers " + state(now.brokersUp(), "up", "AWAY") + ", were away " + times(now.outages())
                        + (now.answersPass() ? "" : "; " + paint(BOLD_RED, "EVERY ANSWER IS LOST")));
    }

    private String state(boolean well, String good, String bad) {
        return well ? good : paint(BOLD_RED, bad);
    }

    static String times(int count) {
        return count == 1 ? "once" : count == 2 ? "twice" : count + " times";
    }

    private String paint(String style, String text) {
        return colours && !style.isEmpty() ? "\033[" + style + "m" + text + "\033[0m" : text;
    }

    private static String clock(Duration elapsed) {
        return String.format(ROOT, "%d:%02d", elapsed.toMinutes(), elapsed.toSecondsPart());
    }

    private String euros(long cents) {
        return String.format(ROOT, "%,.2f ", cents / 100.0)
                + (charset.newEncoder().canEncode('€') ? "€" : "EUR");
    }

    private static String number(long count) {
        return String.format(ROOT, "%,d", count);
    }
}
