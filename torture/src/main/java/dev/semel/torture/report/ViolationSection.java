package dev.semel.torture.report;

import static dev.semel.torture.report.Formats.escaped;

import dev.semel.torture.check.CheckResult;
import dev.semel.torture.check.Violation;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What broke, with everything that is known of each key. */
final class ViolationSection {
    private static final int SHOWN_PER_LAW = 10;
    private static final int OPEN_AT_FIRST = 3;

    private ViolationSection() {}

    static String html(CheckResult result) {
        return section("Violations", "", result.violations(), result.count())
                + section(
                        "Lost at a fail-over",
                        "<p>No violations: a replica has taken over that lacked what its master had acknowledged. The"
                                + " store warns of this, and promises nothing for such keys.</p>\n",
                        result.losses(),
                        result.lossCount());
    }

    private static String section(String title, String about, List<Violation> all, int count) {
        if (all.isEmpty()) return "";
        StringBuilder out = new StringBuilder("<h2>" + title + "</h2>\n" + about);
        Map<String, Integer> ofLaw = new HashMap<>();
        int shown = 0;
        for (Violation it : all)
            if (ofLaw.merge(it.law(), 1, Integer::sum) <= SHOWN_PER_LAW) out.append(one(it, shown++ < OPEN_AT_FIRST));
        if (shown < count)
            out.append("<p class=\"quiet\">" + Formats.count(count - shown)
                    + " more are not shown here. report.json has up to 100 for each law.</p>\n");
        return out.toString();
    }

    private static String one(Violation it, boolean open) {
        StringBuilder rows = new StringBuilder();
        for (Event event : it.history()) rows.append(row(event, it.events()));
        return "<details" + (open ? " open" : "") + "><summary><b>" + escaped(it.what()) + "</b><span class=\"quiet\">"
                + escaped(it.law()) + (it.key().isEmpty() ? "" : " \u00b7 key <code>" + escaped(it.key()) + "</code>")
                + "</span></summary>\n<div class=\"inside\">" + KeyTimeline.svg(it)
                + "<table class=\"events\"><tr><th>time</th><th>call</th><th>what</th><th>how</th><th>body</th></tr>\n"
                + rows
                + "</table></div></details>\n";
    }

    private static String row(Event event, List<Event> blamed) {
        String cells = switch (event) {
            case Event.Sent it ->
                cells(
                        it.call(),
                        "sent",
                        "payload " + it.payload() + ", " + words(it.promise()) + ", client " + it.client() + " to "
                                + it.gateway(),
                        "");
            case Event.Answered it ->
                cells(
                        it.call(),
                        "answered",
                        (it.status() + " " + it.problem()).strip() + (it.replayed() ? ", replayed" : ""),
                        it.body());
            case Event.Unanswered it -> cells(it.call(), "no answer", it.how(), "");
            case Event.Effect it ->
                cells(
                        -1,
                        it.accepted() ? "effect" : "effect refused",
                        "payload " + it.payload() + ", attempt " + it.attempt() + ", token " + it.token(),
                        it.body());
            case Event.Settled it -> cells(-1, "last word", (it.status() + " " + it.problem()).strip(), it.body());
            case Event.Fault it -> cells(-1, it.kind(), it.target(), "");
        };
        return "<tr" + (blamed.contains(event) ? " class=\"blamed\"" : "") + "><td class=\"mono\">"
                + Formats.timestamp(event.at()) + "</td>" + cells + "</tr>\n";
    }

    private static String words(Promise promise) {
        return promise.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String cells(int call, String what, String how, String body) {
        return "<td>" + (call < 0 ? "" : call) + "</td><td>" + escaped(what) + "</td><td>" + escaped(how)
                + "</td><td class=\"mono\">" + escaped(body) + "</td>";
    }
}
