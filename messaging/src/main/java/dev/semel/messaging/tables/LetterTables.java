package dev.semel.messaging.tables;

import dev.semel.messaging.letter.DeadLetter;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Dead letters in a database, for operators. Every call is one transaction, on a connection in auto-commit mode. */
public interface LetterTables {
    /** The first letters that match after a position, without their payloads. */
    List<DeadLetter> list(Connection connection, LetterFilter filter, long after, int most) throws SQLException;

    /** The letter of a message, with its payload; null when there is none. */
    @Nullable
    DeadLetter find(Connection connection, UUID messageId) throws SQLException;

    /** How many letters a redrive of these would send: those that match and are first of their key, and those behind them. */
    Count count(Connection connection, LetterFilter filter) throws SQLException;

    long begin(Connection connection, LetterFilter filter, Redrive.Pace pace, String byWhom, String reason)
            throws SQLException;

    List<Redrive> redrives(Connection connection, int most) throws SQLException;

    /** @return whether the redrive was in one of the states that this can follow on */
    boolean move(Connection connection, long redrive, Redrive.State to, String byWhom, String reason)
            throws SQLException;

    /** Removes a letter for good. What was behind it is first now. @return whether there was one */
    boolean drop(Connection connection, UUID messageId, String byWhom, String reason) throws SQLException;

    /** Chooses what is to be sent next, for all redrives that run; a relay calls it now and then. @return how many letters */
    int advance(Connection connection) throws SQLException;

    /** @param keys how many keys they are of; a letter without a key counts as one */
    record Count(long letters, long keys) {}
}
