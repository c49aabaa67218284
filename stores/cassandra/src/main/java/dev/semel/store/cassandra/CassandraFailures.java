package dev.semel.store.cassandra;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.CoordinatorException;
import com.datastax.oss.driver.api.core.servererrors.QueryValidationException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.util.List;

/** What a failed request may have left behind. Only what was not sent, or what a node refused before it began, is certain. */
final class CassandraFailures {
    private static final String TRY_AGAIN = " Nothing was written; it is safe to try again.";

    private CassandraFailures() {}

    static StoreException ofRead(RuntimeException failure) {
        return StoreException.notApplied("Cassandra could not be read: " + saying(failure), failure);
    }

    static StoreException ofWrite(RuntimeException failure) {
        return switch (applied(failure)) {
            case NO -> StoreException.notApplied(saying(failure) + TRY_AGAIN, failure);
            case UNKNOWN ->
                StoreException.unknown("Nobody can tell yet whether this was written: " + saying(failure), failure);
        };
    }

    static StoreException ofOpening(RuntimeException failure) {
        if (isRefusal(failure))
            return StoreException.notApplied(
                    "Cassandra does not accept the user name or the password of the store URL.", failure);
        return StoreException.notApplied("Cassandra cannot be used: " + saying(failure), failure);
    }

    /** What the driver says while a store is opened, in the words of the store; anything else as it is. */
    static RuntimeException whenOpening(RuntimeException failure) {
        return failure instanceof DriverException it ? ofOpening(it) : failure;
    }

    private static Applied applied(RuntimeException failure) {
        return switch (failure) {
            case UnavailableException it -> ofUnavailable(it);
            case QueryValidationException it -> Applied.NO; // no such table, no right to it, or not CQL: never begun
            case BootstrappingException it -> Applied.NO; // a node that does not take requests yet
            case CoordinatorException it -> Applied.UNKNOWN; // time-outs, failures of replicas, overload in mid-way
            case AllNodesFailedException it -> ofNodes(it);
            case RequestThrottlingException it -> Applied.NO; // held back by the driver
            case IllegalStateException it -> Applied.NO; // the session is closed
            default -> Applied.UNKNOWN; // no answer in time, or the connection broke
        };
    }

    /**
     * Too few replicas to agree is said before anything is proposed. At any other level it is about a step in between: the read
     * before the proposal, or the write of what was agreed upon, which then has happened.
     */
    private static Applied ofUnavailable(UnavailableException failure) {
        return failure.getConsistencyLevel().isSerial() ? Applied.NO : Applied.UNKNOWN;
    }

    /** As nothing is tried twice, the driver goes on to another node only when the one before was not sent the request. */
    private static Applied ofNodes(AllNodesFailedException failure) {
        boolean begun = errors(failure).stream()
                .anyMatch(it -> it instanceof CoordinatorException && !(it instanceof BootstrappingException));
        return begun ? Applied.UNKNOWN : Applied.NO;
    }

    private static List<Throwable> errors(AllNodesFailedException failure) {
        return failure.getAllErrors().values().stream().flatMap(List::stream).toList();
    }

    private static String saying(RuntimeException failure) {
        return switch (failure) {
            case UnavailableException it ->
                "Too few replicas of the key are up: " + it.getRequired() + " are needed at " + it.getConsistencyLevel()
                        + ", " + it.getAlive() + " are there. Bring nodes back, or see nodetool status.";
            case NoNodeAvailableException it -> "No node is connected. The driver tries again every second.";
            case AllNodesFailedException it -> "No node took the request: " + firstOf(it);
            case DriverTimeoutException it -> "No answer came in time (" + it.getMessage() + ").";
            default -> failure.getClass().getSimpleName() + ": " + failure.getMessage();
        };
    }

    private static String firstOf(AllNodesFailedException failure) {
        return failure.getAllErrors().entrySet().stream()
                .findFirst()
                .map(it -> it.getKey().getEndPoint() + ": " + it.getValue().getFirst())
                .orElse("no node is known.");
    }

    private static boolean isRefusal(RuntimeException failure) {
        return failure instanceof AllNodesFailedException it
                && errors(it).stream().anyMatch(AuthenticationException.class::isInstance);
    }

    /** Whether nobody was reached, or too few replicas, and so waiting may help. */
    static boolean isUnreachable(StoreException failure) {
        Throwable cause = failure.getCause();
        if (cause instanceof UnavailableException || cause instanceof DriverTimeoutException) return true;
        return cause instanceof AllNodesFailedException it && !isRefusal(it);
    }
}
