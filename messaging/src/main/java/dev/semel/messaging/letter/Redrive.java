package dev.semel.messaging.letter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters that are being sent again, with the ids that they have always had.
 *
 * @param chosen how many letters it has taken so far
 * @param open how many of them are still to be sent
 * @param refused how many of them the broker has refused again
 * @param note why it paused by itself; null when it did not
 */
public record Redrive(
        long id,
        State state,
        Instant begunAt,
        String byWhom,
        String reason,
        LetterFilter filter,
        Pace pace,
        long chosen,
        long open,
        long refused,
        @Nullable String note) {

    public enum State {
        RUNNING,
        PAUSED,
        CANCELLED,
        DONE
    }

    /**
     * How carefully it goes.
     *
     * @param perSecond how many letters a second at most
     * @param canary how many go first, alone: only when all of them were sent the others follow; if one is refused, it pauses. 0 for none
     */
    public record Pace(int perSecond, int canary) {
        public static final Pace DEFAULT = new Pace(100, 0);

        public Pace {
            if (perSecond < 1)
                throw new IllegalArgumentException("At least one letter a second, not " + perSecond + ".");
            if (canary < 0) throw new IllegalArgumentException("A canary of letters is not negative: " + canary + ".");
        }
    }
}
