package dev.semel.store.dynamodb;

import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreException.Applied;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** What a failed call may have left behind, in plain words. Only what DynamoDB itself has refused, or was never sent, counts as certain. */
final class DynamoDbFailures {
    private DynamoDbFailures() {}

    static StoreException ofRead(SdkException failure) {
        return StoreException.notApplied(said(failure), shown(failure));
    }

    static StoreException ofWrite(SdkException failure) {
        return switch (applied(failure)) {
            case NO -> StoreException.notApplied(said(failure) + " Nothing was written.", shown(failure));
            case UNKNOWN ->
                StoreException.unknown(said(failure) + " The write may have happened or not.", shown(failure));
        };
    }

    /** A refusal (4xx) changes nothing. After a 5xx the write may be there, and may come yet. */
    static Applied applied(SdkException failure) {
        if (failure instanceof AwsServiceException said)
            return said.statusCode() >= 400 && said.statusCode() < 500 ? Applied.NO : Applied.UNKNOWN;
        return wasNotSent(failure) ? Applied.NO : Applied.UNKNOWN;
    }

    private static boolean wasNotSent(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
            if (cause instanceof ConnectException
                    || cause instanceof ConnectTimeoutException
                    || cause instanceof ConnectionRequestTimeoutException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof UnknownHostException
                    || cause instanceof SSLHandshakeException
                    || cause instanceof NoCredentialsException) return true;
        return false;
    }

    /** Whether nothing came back in time. That all connections are busy is no sign of it, nor is a refusal. */
    static boolean isTimeout(SdkException failure) {
        if (failure instanceof ApiCallTimeoutException || failure instanceof ApiCallAttemptTimeoutException)
            return true;
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause())
            if (cause instanceof SocketTimeoutException) return true;
        return false;
    }

    /** Whether nobody took the connection or answered on it. Anything else will not pass by itself. */
    static boolean isUnreachable(StoreException failure) {
        return failure.getCause() instanceof SdkException cause
                && (isTimeout(cause)
                        || (cause instanceof AwsServiceException said
                                ? said.statusCode() >= 500
                                : wasNotSent(cause) && !lacksCredentials(cause)));
    }

    private static boolean lacksCredentials(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause())
            if (cause instanceof NoCredentialsException) return true;
        return false;
    }

    private static String said(SdkException failure) {
        if (failure instanceof AwsServiceException refusal) return said(refusal);
        if (lacksCredentials(failure))
            return "There are no AWS credentials, so nothing was sent. Give the process a role, a profile, or"
                    + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.";
        if (isTimeout(failure)) return "DynamoDB did not answer in time.";
        if (wasNotSent(failure)) return "DynamoDB cannot be reached, so nothing was sent: " + root(failure) + ".";
        return "DynamoDB's answer is lost: " + root(failure) + ".";
    }

    private static String said(AwsServiceException failure) {
        String request = " (" + code(failure) + ", HTTP " + failure.statusCode() + ", request "
                + (failure.requestId() == null ? "without id" : failure.requestId()) + ")";
        return advice(failure) + request + ".";
    }

    private static String advice(AwsServiceException failure) {
        if (failure instanceof ResourceNotFoundException)
            return "DynamoDB has no such table in this region: it was deleted, or region or name are wrong";
        return switch (code(failure)) {
            case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded" ->
                "DynamoDB throttles this table; a retry is safe. If it goes on, raise its capacity or make it"
                        + " on-demand";
            case "AccessDeniedException" ->
                "The AWS credentials do not allow this. They need GetItem, BatchGetItem, PutItem, UpdateItem,"
                        + " DeleteItem, Scan, DescribeTable and DescribeTimeToLive on the table: " + detail(failure);
            case "ExpiredTokenException", "ExpiredToken" -> "The AWS credentials have expired; renew them";
            case "UnrecognizedClientException",
                    "InvalidSignatureException",
                    "IncompleteSignatureException",
                    "InvalidClientTokenId",
                    "SignatureDoesNotMatch",
                    "MissingAuthenticationTokenException" ->
                "DynamoDB does not accept these AWS credentials; are they of another account, or is the clock wrong?";
            default ->
                failure.statusCode() >= 500
                        ? "DynamoDB failed inside: " + detail(failure)
                        : "DynamoDB refused: " + detail(failure);
        };
    }

    private static String code(AwsServiceException failure) {
        String code = failure.awsErrorDetails() == null
                ? null
                : failure.awsErrorDetails().errorCode();
        return code == null ? "no code" : code;
    }

    private static String detail(AwsServiceException failure) {
        String message = failure.awsErrorDetails() == null
                ? null
                : failure.awsErrorDetails().errorMessage();
        return message == null ? "it did not say why" : message;
    }

    /** A refused signature comes with all that was signed, session tokens too: that must not get into a log. */
    private static @Nullable SdkException shown(SdkException failure) {
        return failure instanceof AwsServiceException refusal && code(refusal).contains("Signature") ? null : failure;
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) root = root.getCause();
        return root.getClass().getSimpleName() + (root.getMessage() == null ? "" : ": " + root.getMessage());
    }
}
