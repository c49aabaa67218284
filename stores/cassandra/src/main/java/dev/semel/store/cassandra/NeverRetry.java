package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.WriteType;
import com.datastax.oss.driver.api.core.session.Request;

/**
 * The driver asks once. A conditional write whose answer is lost may have been applied: asked again behind the back of whoever
 * asked, it would meet its own work and call it someone else's. Public because the driver makes it by its name.
 */
@SuppressWarnings("deprecation") // the newer methods call these by default
public final class NeverRetry implements RetryPolicy {
    /** As the driver wants it. */
    public NeverRetry(DriverContext context, String profile) {}

    @Override
    public RetryDecision onReadTimeout(
            Request request, ConsistencyLevel level, int required, int received, boolean present, int retries) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onWriteTimeout(
            Request request, ConsistencyLevel level, WriteType type, int required, int received, int retries) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onUnavailable(Request request, ConsistencyLevel level, int required, int alive, int retries) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onRequestAborted(Request request, Throwable error, int retries) {
        return RetryDecision.RETHROW;
    }

    @Override
    public RetryDecision onErrorResponse(Request request, CoordinatorException error, int retries) {
        return RetryDecision.RETHROW;
    }

    @Override
    public void close() {}
}
