package dev.semel.broker.nats;

import dev.semel.messaging.broker.Delivery;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.Error;
import io.nats.client.api.PublishAck;
import java.io.IOException;

/** What the answers of JetStream mean. */
final class PublishAnswers {
    private static final int MESSAGE_TOO_LARGE = 10_054;
    private static final int HEADERS_TOO_LARGE = 10_097;
    private static final int STORE_FAILED = 10_077;
    private static final int STREAM_SEALED = 10_109;
    private static final int DUPLICATE_UNDER_WAY = 10_158;

    private PublishAnswers() {}

    /** A duplicate counts as sent: the stream has it. */
    static Delivery delivery(String subject, Message answer) {
        try {
            new PublishAck(answer);
            return new Delivery.Sent();
        } catch (JetStreamApiException e) {
            return e.getApiErrorCode() == Error.NOT_SET ? noStreamAnswered(subject) : refusal(subject, e);
        } catch (IOException | RuntimeException e) {
            return noStreamAnswered(subject);
        }
    }

    private static Delivery noStreamAnswered(String subject) {
        return new Delivery.Retry(
                "somebody answered on subject " + subject + " who is no stream", Delivery.Cause.MESSAGE);
    }

    private static Delivery refusal(String subject, JetStreamApiException e) {
        String why = "subject " + subject + ": " + e.getErrorDescription() + " [" + e.getApiErrorCode() + "]";
        return switch (e.getApiErrorCode()) {
            case MESSAGE_TOO_LARGE ->
                new Delivery.Dead("too-large", "It is larger than its stream takes (max_msg_size): " + why);
            case HEADERS_TOO_LARGE -> new Delivery.Dead("too-large", "Its headers are larger than NATS takes: " + why);
            // Such as a stream that is full and set up to take nothing then: no message gets in, so none is to blame.
            case STORE_FAILED -> new Delivery.Retry("the stream takes nothing now: " + why, Delivery.Cause.BROKER);
            case DUPLICATE_UNDER_WAY ->
                new Delivery.Retry("it was sent before, and is still being stored: " + why, Delivery.Cause.BROKER);
            case STREAM_SEALED ->
                new Delivery.Retry("the stream is sealed, and takes nothing: " + why, Delivery.Cause.MESSAGE);
            default -> {
                Delivery.Cause cause = e.getErrorCode() >= 500 ? Delivery.Cause.BROKER : Delivery.Cause.MESSAGE;
                yield new Delivery.Retry("NATS has not taken it: " + why, cause);
            }
        };
    }

    static Delivery tooLarge(long size, long most) {
        return new Delivery.Dead(
                "too-large",
                "With its headers it has " + size + " bytes, more than the server takes (max_payload: " + most + ")");
    }

    static Delivery noSubject(String topic) {
        return new Delivery.Dead(
                "invalid-topic", "NATS has no such subject, because a part between its dots is empty: " + topic);
    }

    static Delivery noStream(String subject) {
        return new Delivery.Retry(
                "NATS has no stream that takes subject " + subject + ": make one, or add the subject to one",
                Delivery.Cause.MESSAGE);
    }

    static Delivery noAnswer(String reason) {
        return new Delivery.Retry(reason, Delivery.Cause.BROKER);
    }
}
