package dev.semel.torture.report;

import static dev.semel.torture.report.Formats.at;
import static dev.semel.torture.report.Formats.escaped;

import dev.semel.torture.check.Violation;
import dev.semel.torture.history.Event;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The life of one key: a lane for each call, and one for the service behind. Events stand at equal distances in their order, for a life has
 * moments that are microseconds apart and others that are minutes.
 */
final class KeyTimeline {
    private static final int WIDTH = 1060;
    private static final int LEFT = 150;
    private static final int LANE = 20;
    private static final int MOST_CALLS = 40;

    private final Violation violation;
    private final Map<Integer, Integer> laneOfCall = new LinkedHashMap<>();
    private final StringBuilder out = new StringBuilder();

    private KeyTimeline(Violation violation) {
        this.violation = violation;
        for (Event event : violation.history())
            if (event instanceof Event.Sent sent) laneOfCall.putIfAbsent(sent.call(), laneOfCall.size() + 1);
    }

    /** Empty when there are more calls than anybody can follow in a picture. */
    static String svg(Violation violation) {
        KeyTimeline timeline = new KeyTimeline(violation);
        return timeline.laneOfCall.size() > MOST_CALLS ? "" : timeline.draw();
    }

    private String draw() {
        int height = (laneOfCall.size() + 1) * LANE + 8;
        out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tl\" role=\"img\" viewBox=\"0 0 " + WIDTH + " "
                + height + "\"><title>The life of the key</title>\n");
        text("name end", LEFT - 12, middle(0) + 4, "service");
        out.append("<path class=\"grid\" d=\"M" + LEFT + " " + middle(0) + "H" + (WIDTH - 12) + "\"/>\n");
        Map<Integer, Double> began = new HashMap<>();
        List<Event> events = violation.history();
        for (int i = 0; i < events.size(); i++) {
            double x = LEFT + (WIDTH - LEFT - 130) * (i + 0.5) / events.size();
            draw(events.get(i), x, began);
        }
        began.forEach((call, x) -> rail(call, x, WIDTH - 12));
        return out.append("</svg>\n").toString();
    }

    private void draw(Event event, double x, Map<Integer, Double> began) {
        switch (event) {
            case Event.Sent it -> {
                began.put(it.call(), x);
                text(
                        "name end",
                        LEFT - 12,
                        middle(lane(it.call())) + 4,
                        "call " + it.call() + " \u00b7 " + it.gateway());
                mark("lost", x, lane(it.call()), event);
            }
            case Event.Answered it -> {
                end(it.call(), x, began, escaped(status(it.status(), it.problem(), it.replayed())));
                mark(AnswerKind.of(it).id(), x, lane(it.call()), event);
            }
            case Event.Unanswered it -> {
                end(it.call(), x, began, escaped(it.how()));
                mark("lost", x, lane(it.call()), event);
            }
            case Event.Effect it -> mark(it.accepted() ? "effect" : "refused", x, 0, event);
            case Event.Settled it -> {
                mark(it.problem().isEmpty() ? "replayed" : "unknown", x, 0, event);
                text("", x + 9, middle(0) + 4, "last word");
            }
            case Event.Fault it -> {}
        }
    }

    private static String status(int status, String problem, boolean replayed) {
        return status + (problem.isEmpty() ? replayed ? " replayed" : "" : " " + problem);
    }

    private void end(int call, double x, Map<Integer, Double> began, String words) {
        Double from = began.remove(call);
        rail(call, from == null ? x : from, x);
        out.append("<text x=\"" + at(x + 9) + "\" y=\"" + at(middle(lane(call)) + 4) + "\">" + words + "</text>\n");
    }

    private void rail(int call, double from, double to) {
        out.append("<path class=\"call\" d=\"M" + at(from) + " " + at(middle(lane(call))) + "H" + at(to) + "\"/>\n");
    }

    private void mark(String kind, double x, int lane, Event event) {
        out.append("<circle class=\"" + kind + "\" cx=\"" + at(x) + "\" cy=\"" + at(middle(lane)) + "\" r=\"5\"><title>"
                + escaped(event.toString()) + "</title></circle>\n");
        if (violation.events().contains(event))
            out.append("<circle class=\"ring\" cx=\"" + at(x) + "\" cy=\"" + at(middle(lane)) + "\" r=\"8\"/>\n");
    }

    private int lane(int call) {
        return laneOfCall.getOrDefault(call, 0);
    }

    private static double middle(int lane) {
        return lane * LANE + 14;
    }

    private void text(String kind, double x, double y, String words) {
        out.append(
                "<text class=\"" + kind + "\" x=\"" + at(x) + "\" y=\"" + at(y) + "\">" + escaped(words) + "</text>\n");
    }
}
