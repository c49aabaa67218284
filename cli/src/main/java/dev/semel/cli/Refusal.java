package dev.semel.cli;

import dev.semel.cli.AdminClient.Reply;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** A problem that the admin API told, in words for someone at a terminal: what happened, and what to type. */
final class Refusal {
    private static final String PROBLEM = "urn:semel:problem:";

    private Refusal() {}

    /** @return the exit code */
    static int print(Reply reply, boolean json) {
        if (json) System.out.println(reply.text());
        else print(reply.members(), System.err);
        return 1;
    }

    private static void print(Map<?, ?> problem, PrintStream err) {
        err.println(
                "semel: " + TerminalText.text(problem.get("title")) + ". " + TerminalText.text(problem.get("detail")));
        String name = TerminalText.text(problem.get("type")).replace(PROBLEM, "");
        switch (name) {
            case "admin-token-wrong" -> err.println("semel: Set SEMEL_ADMIN_TOKEN, or give --token-file FILE.");
            case "key-unknown" -> {
                if (TerminalText.text(problem.get("detail")).contains("ame the"))
                    err.println("semel: Here these are --operation 'POST /v1/charges' and --tenant T.");
            }
            case "ambiguous-key" -> candidates(problem, err);
            case "still-running" -> err.println("semel: Here that is --force.");
            default -> {}
        }
    }

    private static void candidates(Map<?, ?> problem, PrintStream err) {
        if (!(problem.get("candidates") instanceof List<?> candidates)) return;
        err.println("semel: Here that is one of:");
        for (Object candidate : candidates)
            if (candidate instanceof Map<?, ?> id) err.println("  " + TerminalText.scope(id));
    }
}
