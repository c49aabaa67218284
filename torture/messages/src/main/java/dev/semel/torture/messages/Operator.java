package dev.semel.torture.messages;

import dev.semel.messaging.DeadLetters;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.letter.DeadLetter;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Deals with the poison: one message is dropped, the other is sent again after the limit was raised; what waits behind follows. */
final class Operator {
    static final String DROPPED = "poison-dropped";
    static final String RESENT = "poison-resent";
    private static final String NAME = "torture";
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Redrive.Pace AT_ONCE = new Redrive.Pace(10_000, 0);

    private final DeadLetters letters;
    private final TestBroker broker;

    Operator(Outbox outbox, TestBroker broker) {
        this.letters = DeadLetters.of(outbox);
        this.broker = broker;
    }

    /** @return the messages that were dropped */
    Set<String> mend() throws Exception {
        UUID poison = poison(DROPPED);
        poison(RESENT);
        while (!letters.drop(poison, NAME, "nobody needs it")) pause();
        broker.raiseLimit();
        for (String key : List.of(DROPPED, RESENT)) redrive(key);
        return Set.of(poison.toString());
    }

    /** What is a dead letter now is sent again. @return whether there was any */
    boolean redriveRest() throws SQLException {
        boolean any = false;
        for (String key : List.of(DROPPED, RESENT))
            if (list(key).stream().anyMatch(letter -> !letter.due())) {
                redrive(key);
                any = true;
            }
        return any;
    }

    private void redrive(String key) throws SQLException {
        letters.redrive(filter(key), AT_ONCE, NAME, "the limit was raised");
    }

    /** Waits for the message that is too large. */
    private UUID poison(String key) throws SQLException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0) {
            for (DeadLetter letter : list(key))
                if (!letter.kind().equals("tail")) return letter.message().id();
            pause();
        }
        throw new IllegalStateException(
                "The message of " + key + " that is too large is no dead letter after " + PATIENCE + ".");
    }

    private List<DeadLetter> list(String key) throws SQLException {
        return letters.list(filter(key), 0, 10);
    }

    private static LetterFilter filter(String key) {
        return new LetterFilter(null, key, null, null, null, null, null);
    }

    private static void pause() {
        LockSupport.parkNanos(50_000_000);
    }
}
