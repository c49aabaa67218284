package dev.semel.torture.client;

import dev.semel.torture.history.Promise;
import java.util.List;
import java.util.Random;

/**
 * What clients do, and how often, in percent of what they do; the rest of the time they ask until they are answered.
 *
 * @param patient how many calls wait for longer than anybody should
 * @param promises what they ask for, each as often as the others
 */
public record Habits(
        int hangingUp, int askingForSomethingElse, int askingAtSeveralDoors, int patient, List<Promise> promises) {
    private static final List<Promise> OF_A_GATEWAY =
            List.of(Promise.AT_MOST_ONCE, Promise.AT_MOST_ONCE_PROBED, Promise.AT_LEAST_ONCE);

    /** Mostly orderly, with something of everything. */
    public static final Habits USUAL = new Habits(4, 3, 7, 10, OF_A_GATEWAY);

    private static final int SHORTEST_PATIENCE_MILLIS = 300;
    private static final int USUAL_PATIENCE_MILLIS = 3_000;
    private static final int LONGEST_PATIENCE_MILLIS = 10_000;

    /** All who ask at several doors more often, and are patient. */
    public Habits crowding(int askingAtSeveralDoors) {
        return new Habits(hangingUp, askingForSomethingElse, askingAtSeveralDoors, 100, promises);
    }

    public Habits asking(Promise promise) {
        return new Habits(hangingUp, askingForSomethingElse, askingAtSeveralDoors, patient, List.of(promise));
    }

    enum Habit {
        HANG_UP_WHILE_ASKING,
        HANG_UP_ON_ANSWER,
        ASK_FOR_SOMETHING_ELSE,
        ASK_AT_SEVERAL_DOORS,
        ASK_UNTIL_ANSWERED
    }

    Habit next(Random luck) {
        int dice = luck.nextInt(100);
        if (dice < hangingUp) return dice % 2 == 0 ? Habit.HANG_UP_WHILE_ASKING : Habit.HANG_UP_ON_ANSWER;
        dice -= hangingUp;
        if (dice < askingForSomethingElse) return Habit.ASK_FOR_SOMETHING_ELSE;
        dice -= askingForSomethingElse;
        return dice < askingAtSeveralDoors ? Habit.ASK_AT_SEVERAL_DOORS : Habit.ASK_UNTIL_ANSWERED;
    }

    int patienceMillis(Random luck) {
        boolean waits = luck.nextInt(100) < patient;
        return luck.nextInt(SHORTEST_PATIENCE_MILLIS, waits ? LONGEST_PATIENCE_MILLIS : USUAL_PATIENCE_MILLIS);
    }
}
