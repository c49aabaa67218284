package dev.semel.messaging;

import dev.semel.messaging.letter.DeadLetter;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import dev.semel.messaging.tables.LetterTables;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a broker did not take, and those that wait behind them: look at them, send them again, or drop them. What
 * is sent again keeps its id and its order, so whoever had it already recognizes it. The relays of the outbox do the sending.
 *
 * <p>Whoever changes something says who they are and why; it is kept in {@code semel.dead_letter_audit}. Safe for use by any
 * thread.
 */
public final class DeadLetters {
    private static final int LONGEST_WORD = 1000;

    private final Outbox outbox;
    private final LetterTables tables;

    private DeadLetters(Outbox outbox) {
        this.outbox = outbox;
        this.tables = outbox.tables().letters();
    }

    /** Those of this outbox. */
    public static DeadLetters of(Outbox outbox) {
        return new DeadLetters(outbox);
    }

    private interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T with(Work<T> work) throws SQLException {
        try (Connection connection = outbox.database().getConnection()) {
            return work.on(connection);
        }
    }

    /**
     * A page of letters in their order, without their payloads.
     *
     * @param after the position of the last letter of the page before; 0 for the first page
     */
    public List<DeadLetter> list(LetterFilter filter, long after, int most) throws SQLException {
        return with(connection -> tables.list(connection, filter, after, most));
    }

    /** The letter of a message, with its payload; null when there is none. */
    public @Nullable DeadLetter find(UUID messageId) throws SQLException {
        try (Connection connection = outbox.database().getConnection()) {
            return tables.find(connection, messageId);
        }
    }

    /** What {@link #redrive} would send, without doing so. */
    public LetterTables.Count dryRun(LetterFilter filter) throws SQLException {
        return with(connection -> tables.count(connection, filter));
    }

    /**
     * Sends letters again. Of each key the filter is asked of the first letter, which stands for what went wrong; those behind it
     * follow in their order. New letters that match while it runs go too.
     *
     * @return the number by which to ask for it
     */
    public long redrive(LetterFilter filter, Redrive.Pace pace, String byWhom, String reason) throws SQLException {
        requireWords(byWhom, reason);
        return with(connection -> tables.begin(connection, filter, pace, byWhom, reason));
    }

    /** The latest redrives, the last one first. */
    public List<Redrive> redrives(int most) throws SQLException {
        return with(connection -> tables.redrives(connection, most));
    }

    /** @return whether it was running; what it has chosen and not sent stays a dead letter */
    public boolean pause(long redrive, String byWhom, String reason) throws SQLException {
        return move(redrive, Redrive.State.PAUSED, byWhom, reason);
    }

    /** @return whether it was paused */
    public boolean resume(long redrive, String byWhom, String reason) throws SQLException {
        return move(redrive, Redrive.State.RUNNING, byWhom, reason);
    }

    /** @return whether it was running or paused */
    public boolean cancel(long redrive, String byWhom, String reason) throws SQLException {
        return move(redrive, Redrive.State.CANCELLED, byWhom, reason);
    }

    private boolean move(long redrive, Redrive.State to, String byWhom, String reason) throws SQLException {
        requireWords(byWhom, reason);
        return with(connection -> tables.move(connection, redrive, to, byWhom, reason));
    }

    /**
     * Removes a letter for good: its message is never sent. What was behind it comes first now.
     *
     * @return whether there was one that is not being sent just now
     */
    public boolean drop(UUID messageId, String byWhom, String reason) throws SQLException {
        requireWords(byWhom, reason);
        return with(connection -> tables.drop(connection, messageId, byWhom, reason));
    }

    private static void requireWords(String byWhom, String reason) {
        for (String words : List.of(byWhom, reason))
            if (words.isBlank() || words.length() > LONGEST_WORD || words.indexOf('\0') >= 0)
                throw new IllegalArgumentException("Say who you are and why, in 1 to " + LONGEST_WORD
                        + " characters: it is kept with what you do.");
    }
}
