package dev.semel.core;

import dev.semel.core.claim.JoinedTransaction;
import dev.semel.core.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An operation in a database transaction of its own: begun, claimed in, and committed together with its outcome. Made by
 * {@link Operation#transacting}.
 *
 * <p>An effect that ends with an exception has done nothing: the transaction is rolled back. Where the policy says that the
 * exception is an outcome, that alone is recorded, in a transaction after it.
 *
 * <p>Safe for use by any thread.
 */
public final class TransactingOperation<T extends @Nullable Object> {
    private final Operation<T> operation;
    private final DataSource database;

    TransactingOperation(Operation<T> operation, DataSource database) {
        this.operation = operation;
        this.database = database;
    }

    /**
     * Runs the effect, or gives what its first run gave. It is committed when this returns.
     *
     * @param key names the operation to its caller, such as the number of an order
     * @param request what is asked for: a retry must ask for the same
     * @throws X what the effect throws; to duplicates too, where the policy says that it is an outcome
     * @throws OutcomeUnknownException when the answer to the commit is lost; ask again with the same key
     * @throws SemelException when there is no outcome to give
     * @throws StoreException when the database does not answer; nothing is committed then
     */
    public <X extends Exception> T once(String key, @Nullable Object request, TransactionEffect<T, X> effect) throws X {
        return operation.<X>valueOf(attempt(key, request, effect));
    }

    /**
     * The same, answered by a value.
     *
     * @throws X what the effect throws, unless the policy says that it is an outcome
     * @throws StoreException when the database does not answer; nothing is committed then
     */
    public <X extends Exception> Once<T> attempt(String key, @Nullable Object request, TransactionEffect<T, X> effect)
            throws X {
        try {
            return inTransaction(key, request, (attempt, transaction) -> {
                try {
                    return effect.run(attempt, transaction);
                } catch (Exception e) {
                    if (operation.isOutcome(e)) throw new Unwound(e);
                    throw e;
                }
            });
        } catch (Unwound e) {
            return recordFailure(key, request, e.outcome);
        }
    }

    /** An exception on its way out of the transaction that it undoes. */
    private static final class Unwound extends Error {
        private static final long serialVersionUID = 1;

        private final transient Exception outcome;

        Unwound(Exception outcome) {
            super("An effect that failed for good is rolled back", outcome, false, false);
            this.outcome = outcome;
        }
    }

    /** Unless another attempt has got further meanwhile: then what that one recorded counts, for this one has left nothing. */
    private Once<T> recordFailure(String key, @Nullable Object request, Exception outcome) {
        try {
            return inTransaction(key, request, (attempt, transaction) -> {
                throw outcome;
            });
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("An exception that is an outcome was thrown all the same.", e);
        }
    }

    private <X extends Exception> Once<T> inTransaction(
            String key, @Nullable Object request, TransactionEffect<T, X> effect) throws X {
        Once<T> answer;
        Connection transaction = begin();
        boolean committed = false;
        try {
            answer = operation
                    .joining(new JoinedTransaction(transaction, true))
                    .attempt(key, request, attempt -> effect.run(attempt, transaction));
            committed = isNew(answer);
        } finally {
            if (!committed) rollBack(transaction);
            giveBack(transaction);
        }
        if (committed) operation.committed(key);
        return answer;
    }

    private static boolean isNew(Once<?> answer) {
        return answer instanceof Once.Failed<?> it ? !it.replayed() : answer instanceof Once.Ran<?>;
    }

    private Connection begin() {
        Connection connection;
        try {
            connection = database.getConnection();
        } catch (SQLException e) {
            throw StoreException.notApplied("There is no connection to the database: " + e.getMessage(), e);
        }
        try {
            connection.setAutoCommit(false);
            return connection;
        } catch (SQLException e) {
            giveBack(connection);
            throw StoreException.notApplied("No transaction can be begun: " + e.getMessage(), e);
        }
    }

    /** What cannot be rolled back has no connection any more, and is not committed either. */
    private static void rollBack(Connection transaction) {
        try {
            transaction.rollback();
        } catch (SQLException e) {
            abort(transaction);
        }
    }

    private static void abort(Connection transaction) {
        try {
            transaction.abort(Runnable::run);
        } catch (SQLException e) {
            // It is closed.
        }
    }

    /** Nothing hangs on it any more: what is committed is. */
    private static void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            abort(connection);
        }
    }
}
