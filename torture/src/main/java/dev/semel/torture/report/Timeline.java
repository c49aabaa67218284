package dev.semel.torture.report;

import static dev.semel.torture.report.Formats.at;
import static dev.semel.torture.report.Formats.escaped;

import dev.semel.torture.check.Violation;
import dev.semel.torture.history.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Answers by kind over time, as a stack; underneath, what was broken meanwhile; across, where a law was broken. */
final class Timeline {
    private static final int WIDTH = 1120;
    private static final int LEFT = 210;
    private static final int RIGHT = 12;
    private static final int TOP = 44;
    private static final int HEIGHT = 240;
    private static final int LANE = 22;
    private static final int MAX_LANES = 24;
    private static final int MOST_ACROSS = 12;

    private final Counts counts;
    private final List<Violation> violations;
    private final Map<String, List<Event.Fault>> lanes;
    private final double seconds;
    private final StringBuilder out = new StringBuilder();

    private Timeline(Counts counts, List<Violation> violations) {
        this.counts = counts;
        this.violations = violations;
        this.lanes = lanes(counts.faults);
        this.seconds = counts.end() / 1e9;
    }

    /** A whole picture, for a file of its own or within a page. */
    static String svg(Counts counts, List<Violation> violations) {
        return new Timeline(counts, violations).draw();
    }

    /** A lane for each kind and target; when these are too many, for each kind. */
    private static Map<String, List<Event.Fault>> lanes(List<Event.Fault> faults) {
        Map<String, List<Event.Fault>> lanes = new TreeMap<>();
        for (Event.Fault it : faults)
            lanes.computeIfAbsent(it.kind() + " \u00b7 " + it.target(), any -> new ArrayList<>())
                    .add(it);
        if (lanes.size() <= MAX_LANES) return lanes;
        Map<String, List<Event.Fault>> fewer = new TreeMap<>();
        for (Event.Fault it : faults)
            fewer.computeIfAbsent(it.kind(), any -> new ArrayList<>()).add(it);
        return fewer;
    }

    private String draw() {
        int bottom = TOP + HEIGHT + 34 + (lanes.size() + (violations.isEmpty() ? 0 : 1)) * LANE + 8;
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tl\" role=\"img\" viewBox=\"0 0 " + WIDTH + " "
                + bottom
                + "\">\n<title>Answers per second by kind, and faults, over the time of the run</title>\n<style>"
                + Page.resource("timeline.css") + "</style>\n");
        legend();
        axes();
        if (counts.operations > 0) stack();
        faults();
        violations(bottom);
        return out.append("</svg>\n").toString();
    }

    private void legend() {
        double x = LEFT;
        for (AnswerKind kind : AnswerKind.values()) {
            if (counts.kinds.getOrDefault(kind, 0L) == 0) continue;
            rect(kind.id(), x, 6, 11, 11, 2, "");
            text("", x + 16, 16, kind.id().equals("lost") ? "no answer" : kind.id());
            x += 34 + 7.2 * (kind == AnswerKind.LOST ? 9 : kind.id().length());
        }
    }

    private void axes() {
        double most = highest();
        double step = Formats.step(most);
        for (double value = 0; value <= most; value += step) {
            double y = y(value, most);
            line("grid", LEFT, y, WIDTH - RIGHT, y);
            text("end", LEFT - 8, y + 4, String.format(Locale.ROOT, step < 1 ? "%.1f" : "%,.0f", value));
        }
        text("", 0, TOP + 4, "answers per second");
        double tick = tick();
        for (double second = 0; second <= seconds; second += tick) {
            double x = x((long) (second * 1e9));
            line("grid", x, TOP + HEIGHT, x, TOP + HEIGHT + 5);
            text(x > WIDTH - 40 ? "end" : "mid", x, TOP + HEIGHT + 20, clock(second));
        }
    }

    /** A step that clocks have, so that there are ten at most. */
    private double tick() {
        for (int step : new int[] {1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400})
            if (seconds / step <= 10) return seconds < 2 ? Formats.step(seconds) : step;
        return Formats.step(seconds / 3600) * 3600;
    }

    private String clock(double second) {
        if (seconds < 2) return String.format(Locale.ROOT, "%.3f s", second);
        long whole = Math.round(second);
        if (seconds < 100) return whole + " s";
        if (seconds < 3600) return String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60);
        return String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
    }

    private double highest() {
        int[] heights = new int[Counts.POINTS];
        counts.series.values().forEach(it -> Arrays.setAll(heights, i -> heights[i] + it[i]));
        int highest = Arrays.stream(heights).max().orElse(0);
        return highest == 0 ? 1 : highest * Counts.POINTS / seconds;
    }

    /** Each kind stands on those before it. */
    private void stack() {
        double most = highest();
        int[] ground = new int[Counts.POINTS];
        for (Map.Entry<AnswerKind, int[]> it : counts.series.entrySet()) {
            int[] top = ground.clone();
            Arrays.setAll(top, i -> top[i] + it.getValue()[i]);
            StringBuilder path = new StringBuilder();
            for (int i = 0; i < Counts.POINTS; i++) edge(path, i, i + 1, top[i], most);
            for (int i = Counts.POINTS - 1; i >= 0; i--) edge(path, i + 1, i, ground[i], most);
            out.append("<path class=\"" + it.getKey().id() + "\" d=\"M" + path.substring(1) + "z\"><title>"
                    + it.getKey().words + "</title></path>\n");
            ground = top;
        }
    }

    private void edge(StringBuilder path, int from, int to, int height, double most) {
        double y = y(height * Counts.POINTS / seconds, most);
        for (int point : new int[] {from, to})
            path.append('L').append(at(px(point))).append(' ').append(at(y));
    }

    private void faults() {
        double y = TOP + HEIGHT + 34;
        for (Map.Entry<String, List<Event.Fault>> lane : lanes.entrySet()) {
            rect("lane", LEFT, y + 3, WIDTH - RIGHT - LEFT, LANE - 6, 3, "");
            text("name end", LEFT - 8, y + 15, shortened(lane.getKey()));
            for (Event.Fault it : lane.getValue()) {
                double from = x(it.at());
                double width = Math.max(2, x(counts.until(it)) - from);
                rect("fault", from, y + 3, width, LANE - 6, Math.min(3, width / 2), told(it));
            }
            y += LANE;
        }
    }

    private String told(Event.Fault it) {
        return it.kind() + ", " + it.target() + ": from " + Formats.timestamp(it.at()) + ", for "
                + Formats.duration(Duration.ofNanos(counts.until(it) - it.at()));
    }

    private static String shortened(String text) {
        return text.length() <= 30 ? text : text.substring(0, 29) + "\u2026";
    }

    /** A few are drawn across, to be held against the faults; many would hide them, and get a lane. */
    private void violations(int bottom) {
        if (violations.isEmpty()) return;
        double y = bottom - 8 - LANE;
        rect("lane", LEFT, y + 3, WIDTH - RIGHT - LEFT, LANE - 6, 3, "");
        text("bad end", LEFT - 8, y + 15, "violations");
        for (Violation it : violations) {
            if (it.events().isEmpty()) continue;
            double x = x(it.events().getLast().at());
            if (violations.size() <= MOST_ACROSS) line("badline", x, TOP - 8, x, y);
            rect("bad", x - 1.5, y + 1, 3, LANE - 2, 1, it.toString());
        }
    }

    private double x(long nanos) {
        return LEFT + (WIDTH - RIGHT - LEFT) * Math.min(1, Math.max(0, nanos) / (double) counts.end());
    }

    private static double px(int point) {
        return LEFT + (WIDTH - RIGHT - LEFT) * (point / (double) Counts.POINTS);
    }

    private static double y(double value, double most) {
        return TOP + HEIGHT - HEIGHT * value / most;
    }

    private void line(String kind, double x1, double y1, double x2, double y2) {
        out.append(
                "<path class=\"" + kind + "\" d=\"M" + at(x1) + " " + at(y1) + "L" + at(x2) + " " + at(y2) + "\"/>\n");
    }

    private void rect(String kind, double x, double y, double width, double height, double round, String title) {
        out.append("<rect class=\"" + kind + "\" x=\"" + at(x) + "\" y=\"" + at(y) + "\" width=\"" + at(width)
                + "\" height=\"" + at(height) + "\" rx=\"" + at(round) + "\">"
                + (title.isEmpty() ? "" : "<title>" + escaped(title) + "</title>") + "</rect>\n");
    }

    private void text(String kind, double x, double y, String words) {
        out.append(
                "<text class=\"" + kind + "\" x=\"" + at(x) + "\" y=\"" + at(y) + "\">" + escaped(words) + "</text>\n");
    }
}
