package dev.semel.store.jdbc;

import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.Change;
import dev.semel.core.store.ForwardingKeyStore;
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

/** Mistakes that a store could make with the transactions of others. */
enum JoiningBug {
    NONE {
        @Override
        KeyStore in(KeyStore store, String url) {
            return store;
        }
    },
    /** The outcome is durable before the effect. */
    OUTCOME_IN_ANOTHER_TRANSACTION {
        @Override
        KeyStore in(KeyStore store, String url) {
            return new Planted(store) {
                @Override
                public KeyRecord record(
                        Connection transaction, KeyId id, KeyRecord seen, Instant began, Change change) {
                    try (Connection other = Sql.on(url).connect()) {
                        other.setAutoCommit(false);
                        KeyRecord written = real.record(other, id, seen, beginning(other), change);
                        other.commit();
                        return written;
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            };
        }
    },
    /** Whoever comes runs, and the last one is right. Without the lock alone, the statement that records would still notice. */
    NO_LOCK_AND_NO_COMPARISON {
        @Override
        KeyStore in(KeyStore store, String url) {
            return new Planted(store) {
                @Override
                public Joined join(Connection transaction, KeyId id, Duration atMost) {
                    return new Joined.Alone(store.find(id), store.now(), beginning(transaction));
                }

                @Override
                public KeyRecord record(
                        Connection transaction, KeyId id, KeyRecord seen, Instant began, Change change) {
                    while (true) {
                        KeyRecord written = real.record(transaction, id, seen, began, change);
                        if (written != null) return written;
                        Seen now = store.find(id);
                        seen = now == null ? null : now.record();
                    }
                }
            };
        }
    };

    private static Instant beginning(Connection transaction) {
        try (Statement statement = transaction.createStatement();
                ResultSet row = statement.executeQuery("select transaction_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    abstract KeyStore in(KeyStore store, String url);

    private static class Planted extends ForwardingKeyStore implements JoiningKeyStore {
        final JoiningKeyStore real;

        Planted(KeyStore store) {
            super(store);
            this.real = store.joining();
        }

        @Override
        public JoiningKeyStore joining() {
            return this;
        }

        @Override
        public Joined join(Connection transaction, KeyId id, Duration atMost) {
            return real.join(transaction, id, atMost);
        }

        @Override
        public KeyRecord record(Connection transaction, KeyId id, KeyRecord seen, Instant began, Change change) {
            return real.record(transaction, id, seen, began, change);
        }

        @Override
        public void forbidCommit(Connection transaction, String reason) {
            real.forbidCommit(transaction, reason);
        }
    }
}
