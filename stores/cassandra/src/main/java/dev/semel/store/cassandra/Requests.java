package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.Statement;
import dev.semel.core.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks Cassandra, and says what a failure means. The driver sends the requests of concurrent callers over one connection per
 * node, without waiting for answers in between; how many may be under way is bounded here, where it is known that what
 * had to wait for too long was never sent.
 */
final class Requests {
    private final CqlSession session;
    private final Semaphore permits;
    private final Duration patience;

    Requests(CqlSession session, CassandraOptions options) {
        this.session = session;
        this.permits = new Semaphore(options.maxRequests());
        this.patience = options.requestTimeout();
    }

    /** @return null when there is no row */
    @Nullable
    Row readOne(Statement<?> statement) {
        return read(statement).one();
    }

    ResultSet read(Statement<?> statement) {
        acquire();
        try {
            return session.execute(statement);
        } catch (RuntimeException e) {
            throw CassandraFailures.ofRead(e);
        } finally {
            permits.release();
        }
    }

    /** Asks all of this at once, and returns the rows in the same order, null where there is none. */
    List<@Nullable Row> readEach(List<? extends Statement<?>> statements) {
        List<CompletableFuture<AsyncResultSet>> answers = new ArrayList<>(statements.size());
        for (Statement<?> statement : statements) {
            acquire();
            answers.add(send(statement).whenComplete((rows, failure) -> permits.release()));
        }
        List<@Nullable Row> rows = new ArrayList<>(answers.size());
        for (CompletableFuture<AsyncResultSet> answer : answers) rows.add(oneOf(answer));
        return rows;
    }

    private CompletableFuture<AsyncResultSet> send(Statement<?> statement) {
        try {
            return session.executeAsync(statement).toCompletableFuture();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static @Nullable Row oneOf(CompletableFuture<AsyncResultSet> answer) {
        try {
            return answer.join().one();
        } catch (CompletionException e) {
            throw CassandraFailures.ofRead(
                    e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause()));
        }
    }

    /** A conditional write: the one row says whether it was applied, and if not, what is there. */
    Row write(Statement<?> statement) {
        acquire();
        try {
            Row row = session.execute(statement).one();
            if (row != null) return row;
        } catch (RuntimeException e) {
            throw CassandraFailures.ofWrite(e);
        } finally {
            permits.release();
        }
        throw StoreException.unknown("Cassandra answered a conditional write without saying what became of it.", null);
    }

    private void acquire() {
        if (permits.tryAcquire()) return;
        try {
            if (permits.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw StoreException.notApplied(
                "Too many requests to Cassandra are under way. Nothing was sent; it is safe to try again.", null);
    }
}
