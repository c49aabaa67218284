package dev.semel.cli;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.JoiningKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;

/** A bug: nobody waits for the transaction of another, and an outcome is written over whatever is there. */
final class UnlockedJoining implements JoiningKeyStore {
    private final KeyStore store;
    private final JoiningKeyStore real;

    UnlockedJoining(KeyStore store) {
        this.store = store;
        this.real = Objects.requireNonNull(store.joining());
    }

    @Override
    public Joined join(Connection transaction, KeyId id, Duration atMost) {
        return new Joined.Alone(store.find(id), store.now(), beginning(transaction));
    }

    private static Instant beginning(Connection transaction) {
        try (Statement statement = transaction.createStatement();
                ResultSet row = statement.executeQuery("select transaction_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public KeyRecord record(Connection transaction, KeyId id, KeyRecord seen, Instant began, Change change) {
        KeyRecord from = seen;
        while (true) {
            KeyRecord written = real.record(transaction, id, from, began, change);
            if (written != null) return written;
            Seen now = store.find(id);
            from = now == null ? null : now.record();
        }
    }

    @Override
    public void forbidCommit(Connection transaction, String reason) {
        real.forbidCommit(transaction, reason);
    }
}
