package dev.semel.cli;

import dev.semel.cli.AdminClient.Reply;
import java.util.Map;

/** Prints how a change to a key ended. */
final class ChangeOutput {
    private ChangeOutput() {}

    /** @return the exit code */
    static int print(Reply reply, boolean json) {
        if (reply.isRefusal()) return Refusal.print(reply, json);
        System.out.println(json ? reply.text() : sentence(reply.members()));
        return 0;
    }

    private static String sentence(Map<?, ?> story) {
        String key = "The key " + TerminalText.text(story.get("key")) + " of "
                + TerminalText.text(story.get("operation")) + " is ";
        if (story.get("response") instanceof Map<?, ?> response)
            return key + "done: every retry is answered with status " + TerminalText.text(response.get("status"))
                    + " and " + TerminalText.text(response.get("bodyBytes")) + " bytes from now on.";
        return key + "free: the next attempt runs, with a fencing token above " + TerminalText.text(story.get("token"))
                + ".";
    }
}
