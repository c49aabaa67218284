package dev.semel.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The story of a key, to be read. */
final class KeyPage {
    private static final List<String> TIMES =
            List.of("since", "leaseUntil", "nextProbe", "doneAt", "expires", "forgottenAt");
    private static final List<String> ELSEWHERE =
            List.of("now", "hasMemo", "history", "response", "outcome", "outcomeFormat", "outcomeBytes");

    private KeyPage() {}

    static void print(Map<?, ?> story, PrintStream out) {
        Instant now = Instant.parse(Shown.text(story.get("now")));
        List<List<String>> rows = new ArrayList<>();
        story.forEach((name, value) -> {
            String text = TIMES.contains(name) ? Shown.time(value, now) : Shown.text(value);
            // Without a probe, or past its last, there is no next one.
            boolean over = name.equals("nextProbe") && text.contains("ago");
            if (!ELSEWHERE.contains(name) && !text.isEmpty() && !over) rows.add(List.of(words(Shown.text(name)), text));
        });
        Shown.aligned(rows).forEach(out::println);
        if (story.get("history") instanceof List<?> remarks && !remarks.isEmpty()) history(remarks, now, out);
        if (story.containsKey("outcomeFormat")) outcome(story, out);
        if ("in-doubt".equals(story.get("state"))) advice(story, out);
    }

    /** {@code leaseUntil} is lease until. */
    private static String words(String name) {
        return name.replaceAll("([A-Z])", " $1").toLowerCase(java.util.Locale.ROOT);
    }

    private static void history(List<?> remarks, Instant now, PrintStream out) {
        out.println();
        out.println("history");
        List<List<String>> rows = new ArrayList<>();
        for (Object remark : remarks)
            if (remark instanceof Map<?, ?> it)
                rows.add(List.of(
                        "  " + Shown.time(it.get("at"), now), Shown.text(it.get("by")), Shown.text(it.get("what"))));
        Shown.aligned(rows).forEach(out::println);
    }

    private static void outcome(Map<?, ?> story, PrintStream out) {
        out.println();
        if (!(story.get("response") instanceof Map<?, ?> response)) {
            out.println("outcome  " + Shown.text(story.get("outcomeBytes")) + " bytes, "
                    + Shown.text(story.get("outcomeFormat")));
            if (story.containsKey("outcome")) out.println("\n" + Shown.text(story.get("outcome")));
            return;
        }
        out.println("response  " + Shown.text(response.get("status")));
        if (response.get("headers") instanceof List<?> headers)
            for (Object header : headers)
                if (header instanceof List<?> pair && pair.size() == 2)
                    out.println("  " + Shown.text(pair.get(0)) + ": " + Shown.text(pair.get(1)));
        boolean kept = Boolean.TRUE.equals(response.get("bodyKept"));
        out.println("  " + (kept ? Shown.text(response.get("bodyBytes")) + " bytes of body" : "the body was not kept"));
        if (response.get("body") instanceof String body) out.println("\n" + body);
        if (response.get("bodyBase64") instanceof String base64) out.println("\nin base64: " + base64);
    }

    private static void advice(Map<?, ?> story, PrintStream out) {
        String command =
                "  semel keys resolve " + Shown.quoted(Shown.text(story.get("key"))) + " " + Shown.scope(story);
        out.println();
        out.println("It may or may not have happened. Find out from the service behind, then say which:");
        out.println(command + " --done-with FILE --reason '…'");
        out.println(command + " --did-not-happen --reason '…'");
    }
}
