package dev.semel.cli;

import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Prints everything about a key for a person. */
final class KeyDetails {
    private static final List<String> TIMES =
            List.of("since", "leaseUntil", "nextProbe", "doneAt", "expires", "forgottenAt");
    private static final List<String> ELSEWHERE =
            List.of("now", "hasMemo", "history", "response", "outcome", "outcomeFormat", "outcomeBytes");

    private KeyDetails() {}

    static void print(Map<?, ?> story, PrintStream out) {
        Instant now = Instant.parse(TerminalText.text(story.get("now")));
        List<List<String>> rows = new ArrayList<>();
        story.forEach((name, value) -> {
            String text = TIMES.contains(name) ? TerminalText.time(value, now) : TerminalText.text(value);
            // Without a probe, or past its last, there is no next one.
            boolean over = name.equals("nextProbe") && text.contains("ago");
            if (!ELSEWHERE.contains(name) && !text.isEmpty() && !over)
                rows.add(List.of(words(TerminalText.text(name)), text));
        });
        TerminalText.aligned(rows).forEach(out::println);
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
                        "  " + TerminalText.time(it.get("at"), now),
                        TerminalText.text(it.get("by")),
                        TerminalText.text(it.get("what"))));
        TerminalText.aligned(rows).forEach(out::println);
    }

    private static void outcome(Map<?, ?> story, PrintStream out) {
        out.println();
        if (!(story.get("response") instanceof Map<?, ?> response)) {
            out.println("outcome  " + TerminalText.text(story.get("outcomeBytes")) + " bytes, "
                    + TerminalText.text(story.get("outcomeFormat")));
            if (story.containsKey("outcome")) out.println("\n" + TerminalText.text(story.get("outcome")));
            return;
        }
        out.println("response  " + TerminalText.text(response.get("status")));
        if (response.get("headers") instanceof List<?> headers)
            for (Object header : headers)
                if (header instanceof List<?> pair && pair.size() == 2)
                    out.println("  " + TerminalText.text(pair.get(0)) + ": " + TerminalText.text(pair.get(1)));
        boolean kept = Boolean.TRUE.equals(response.get("bodyKept"));
        out.println("  "
                + (kept ? TerminalText.text(response.get("bodyBytes")) + " bytes of body" : "the body was not kept"));
        if (response.get("body") instanceof String body) out.println("\n" + body);
        if (response.get("bodyBase64") instanceof String base64) out.println("\nin base64: " + base64);
    }

    private static void advice(Map<?, ?> story, PrintStream out) {
        String command = "  semel keys resolve " + TerminalText.quoted(TerminalText.text(story.get("key"))) + " "
                + TerminalText.scope(story);
        out.println();
        out.println("It may or may not have happened. Find out from the service behind, then say which:");
        out.println(command + " --done-with FILE --reason '…'");
        out.println(command + " --did-not-happen --reason '…'");
    }
}
