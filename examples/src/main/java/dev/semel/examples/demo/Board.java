package dev.semel.examples.demo;

import static java.util.Locale.ROOT;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The picture on the terminal: both sides beside each other, what is broken, where to join in, and the keys. */
record Board(boolean colours, Charset charset) {
    /** One less than the usual terminal has. */
    static final int WIDTH = 79;

    /** No more than the usual terminal has. */
    static final int HEIGHT = 24;

    private static final String PLAIN = "";
    private static final String BOLD = "1";
    private static final String DIM = "2";
    private static final String BOLD_GREEN = "1;32";
    private static final String BOLD_RED = "1;31";

    List<String> lines(Summary now, Addresses addresses, String hint) {
        List<String> lines = new ArrayList<>();
        lines.add(title(now));
        lines.add(rule());
        lines.addAll(table(now));
        lines.add("");
        lines.addAll(incidents(now.incidents()));
        lines.add(rule());
        for (String place : addresses.lines()) lines.add("  " + paint(DIM, place));
        lines.add("");
        lines.add("  " + paint(BOLD, hint));
        return lines;
    }

    private String title(Summary now) {
        String story = "the same customers on the same bad network, twice";
        return paint(BOLD, "  Semel demo   ") + String.format(ROOT, "%-56s%8s", story, clock(now.elapsed()));
    }

    private String rule() {
        String dash = charset.newEncoder().canEncode('─') ? "─" : "-";
        return paint(DIM, "  " + dash.repeat(WIDTH - 2));
    }

    /** The same for both sides, line by line. */
    List<String> table(Summary now) {
        SideCount with = now.guarded();
        SideCount bare = now.bare();
        return List.of(
                row(BOLD, "", "with Semel", "without Semel", ""),
                row("payments wanted", with.wanted(), bare.wanted(), "the same on both sides"),
                row("requests sent", with.requests(), bare.requests(), "retries, double clicks"),
                row("answers lost or late", with.answersMissed(), bare.answersMissed(), "so customers retry"),
                row("duplicates absorbed", with.absorbed(), bare.absorbed(), "answered from memory"),
                row("charges made", with.charges(), bare.charges(), "entries in the ledger"),
                resultRow("DOUBLE CHARGES", with, bare, number(with.doubleCharges()), number(bare.doubleCharges())),
                resultRow("MONEY WRONGLY TAKEN", with, bare, euros(with.wrongCents()), euros(bare.wrongCents())),
                row("still unknown", with.unknown(), bare.unknown(), "no final answer yet"));
    }

    private String row(String label, long with, long bare, String gloss) {
        return row(PLAIN, label, number(with), number(bare), gloss);
    }

    private String row(String style, String label, String with, String bare, String gloss) {
        return paint(style, String.format(ROOT, "  %-22s%13s%17s", label, with, bare)) + "   " + paint(DIM, gloss);
    }

    /** Green for a side that took no money twice, red for one that did. */
    private String resultRow(String label, SideCount with, SideCount bare, String withText, String bareText) {
        return paint(BOLD, String.format(ROOT, "  %-22s", label))
                + paint(colour(with), String.format(ROOT, "%13s", withText))
                + paint(colour(bare), String.format(ROOT, "%17s", bareText));
    }

    private static String colour(SideCount side) {
        return side.doubleCharges() == 0 ? BOLD_GREEN : BOLD_RED;
    }

    private List<String> incidents(IncidentCount now) {
        return List.of(
                "  gateway " + state(now.gatewayUp(), "up", "DOWN") + ", killed " + times(now.kills())
                        + "; payment services " + state(now.servicesUp(), "up", "DOWN")
                        + ", crashed " + times(now.crashes()),
                "  network " + state(now.answersPass(), "bad as ever", "LOSES EVERY ANSWER"),
                "  " + ClosingReport.doubts(now.doubts()));
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

    String euros(long cents) {
        return String.format(ROOT, "%,.2f ", cents / 100.0)
                + (charset.newEncoder().canEncode('€') ? "€" : "EUR");
    }

    private static String number(long count) {
        return String.format(ROOT, "%,d", count);
    }
}
