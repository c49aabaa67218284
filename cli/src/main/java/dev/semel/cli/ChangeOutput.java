package dev.semel.cli;

import dev.semel.cli.AdminClient.Told;
import java.util.Map;

/** What is said after a key was put right. */
final class Changed {
    private Changed() {}

    /** @return the exit code */
    static int print(Told told, boolean json) {
        if (told.isRefusal()) return Refusal.print(told, json);
        System.out.println(json ? told.text() : sentence(told.members()));
        return 0;
    }

    private static String sentence(Map<?, ?> story) {
        String key = "The key " + Shown.text(story.get("key")) + " of " + Shown.text(story.get("operation")) + " is ";
        if (story.get("response") instanceof Map<?, ?> response)
            return key + "done: every retry is answered with status " + Shown.text(response.get("status")) + " and "
                    + Shown.text(response.get("bodyBytes")) + " bytes from now on.";
        return key + "free: the next attempt runs, with a fencing token above " + Shown.text(story.get("token")) + ".";
    }
}
