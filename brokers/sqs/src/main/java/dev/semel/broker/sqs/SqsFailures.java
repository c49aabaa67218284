package dev.semel.broker.sqs;

import dev.semel.messaging.broker.Delivery;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.QueueDoesNotExistException;

/** What the refusals of SQS mean. */
final class SqsFailures {
    private static final Set<String> CREDENTIALS = Set.of(
            "InvalidClientTokenId",
            "UnrecognizedClientException",
            "SignatureDoesNotMatch",
            "InvalidSignatureException",
            "IncompleteSignature",
            "MissingAuthenticationToken",
            "ExpiredToken",
            "ExpiredTokenException",
            "RequestExpired",
            "OptInRequired");

    private SqsFailures() {}

    /** The code without the prefix of the older protocol. */
    static String code(SdkException e) {
        AwsErrorDetails details = e instanceof AwsServiceException it ? it.awsErrorDetails() : null;
        return details == null ? "" : simple(details.errorCode());
    }

    private static String simple(@Nullable String code) {
        return code == null ? "" : code.replace("AWS.SimpleQueueService.", "").replaceFirst(".*#", "");
    }

    static boolean isQueueMissing(SdkException e) {
        String code = code(e);
        return e instanceof QueueDoesNotExistException
                || code.equals("NonExistentQueue")
                || code.equals("QueueDoesNotExist");
    }

    static boolean isDenied(SdkException e) {
        return code(e).startsWith("AccessDenied") || code(e).startsWith("KmsAccessDenied");
    }

    static boolean isCredentials(SdkException e) {
        return CREDENTIALS.contains(code(e));
    }

    /** The request itself is to blame: it would be refused at any other time too. */
    static boolean isRequest(SdkException e) {
        return e instanceof AwsServiceException it
                && it.statusCode() >= 400
                && it.statusCode() < 500
                && !it.isThrottlingException()
                && it.statusCode() != 429
                && !it.isClockSkewException()
                && !isCredentials(e)
                && !code(e).equals("OverLimit")
                && !code(e).contains("Throttl");
    }

    static String reason(SdkException e) {
        if (isCredentials(e)) return "SQS refuses the credentials (" + code(e) + ")";
        if (e instanceof AwsServiceException it && it.awsErrorDetails() != null)
            return "SQS has not taken it: " + code(e) + ", "
                    + it.awsErrorDetails().errorMessage();
        String message = String.valueOf(e.getMessage());
        // It names every place where it has looked.
        if (message.startsWith("Unable to load credentials")) return "there are no credentials for SQS";
        return "SQS cannot be reached: " + message;
    }

    /** Of a call with a single message. */
    static Delivery delivery(String queue, SdkException e) {
        if (isQueueMissing(e)) return noQueue(queue);
        if (isDenied(e)) return denied(queue);
        if (!isRequest(e)) return new Delivery.Retry(reason(e), Delivery.Cause.BROKER);
        return refusal(queue, code(e), reason(e));
    }

    static Delivery delivery(String queue, BatchResultErrorEntry refused) {
        String code = simple(refused.code());
        String reason = "SQS has not taken it: " + code + ", " + refused.message();
        if (!Boolean.TRUE.equals(refused.senderFault()) || code.contains("Throttl"))
            return new Delivery.Retry(reason, Delivery.Cause.BROKER);
        return refusal(queue, code, reason);
    }

    private static Delivery refusal(String queue, String code, String reason) {
        // Of a queue's own limit there is only text to tell; the last one is ElasticMQ's.
        boolean tooLarge = code.equals("BatchRequestTooLong")
                || reason.contains("must be shorter than")
                || reason.contains("MessageTooLong");
        if (tooLarge) return new Delivery.Dead("too-large", "It is larger than queue " + queue + " takes: " + reason);
        if (reason.contains("InvalidMessageContents"))
            return new Delivery.Dead("invalid", "It holds characters that SQS does not take: " + reason);
        return new Delivery.Retry(reason, Delivery.Cause.MESSAGE);
    }

    static Delivery noQueue(String queue) {
        return new Delivery.Retry("SQS has no queue " + queue + ": make it", Delivery.Cause.MESSAGE);
    }

    static Delivery denied(String queue) {
        return new Delivery.Retry("SQS does not allow this user to use queue " + queue, Delivery.Cause.MESSAGE);
    }

    static Delivery noName(String topic) {
        return new Delivery.Dead(
                "invalid-topic",
                "SQS has no queues with such a name; it takes 1 to 80 letters, digits, - and _, and .fifo at the end: "
                        + topic);
    }
}
