package dev.semel.torture.check;

import dev.semel.torture.history.Call;
import dev.semel.torture.history.Event;
import dev.semel.torture.history.KeyHistory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcomes of a key that any caller got. */
final class Outcomes {
    private Outcomes() {}

    /** @param event an answer, or the last word */
    record Reported(Event event, int status, String body) {
        boolean isSameAs(Reported other) {
            return status == other.status && body.equals(other.body);
        }

        @Override
        public String toString() {
            return status + " with body " + body;
        }
    }

    /** By time, so that the first is the one that counts. */
    static List<Reported> of(KeyHistory key) {
        List<Reported> all = new ArrayList<>();
        for (Event event : key.events()) {
            Reported told = told(event);
            if (told != null) all.add(told);
        }
        return all;
    }

    private static @Nullable Reported told(Event event) {
        return switch (event) {
            case Event.Answered it when Answers.isOutcome(it) -> new Reported(it, it.status(), it.body());
            case Event.Settled it
            when Answers.isOutcome(it.status(), it.problem()) -> new Reported(it, it.status(), it.body());
            default -> null;
        };
    }

    /** The call that first got an outcome; null when none did. */
    static @Nullable Call firstAnswered(KeyHistory key) {
        Call first = null;
        long at = Long.MAX_VALUE;
        for (Call call : key.calls()) {
            Event.Answered answer = call.answer();
            if (answer == null || !Answers.isOutcome(answer) || answer.at() >= at) continue;
            first = call;
            at = answer.at();
        }
        return first;
    }
}
