package dev.semel.broker.nats;

import dev.semel.messaging.broker.BrokerException;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamOptions;
import io.nats.client.Message;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsJetStreamMetaData;
import io.nats.client.impl.NatsMessage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Where a consumer puts what it cannot handle: a subject of some stream. */
final class DeadLetterSubject {
    private static final int LONGEST_REASON = 500;

    private final @Nullable String subject;
    private final NatsConsumer.Plan plan;
    private final NatsLink link;

    DeadLetterSubject(NatsConsumer.Plan plan, NatsLink link) {
        this.subject = plan.deadLetters();
        this.plan = plan;
        this.link = link;
    }

    boolean isThere() {
        return subject != null;
    }

    /**
     * Returns when it is stored.
     *
     * @throws BrokerException when it may not be
     */
    void send(Message message, String reason) {
        try {
            JetStreamOptions options = JetStreamOptions.builder()
                    .requestTimeout(plan.settings().ackTimeout())
                    .build();
            link.connection().jetStream(options).publish(letter(message, reason));
        } catch (IOException | JetStreamApiException | RuntimeException e) {
            throw new BrokerException("a dead letter was not taken by subject " + subject + ": " + e.getMessage(), e);
        }
    }

    private NatsMessage letter(Message message, String reason) {
        Headers headers = new Headers();
        Headers given = message.getHeaders();
        if (given != null)
            for (String name : given.keySet())
                if (!name.startsWith("Nats-") && !name.startsWith("semel-dead-")) headers.add(name, given.get(name));
        if (given != null && given.getFirst(NatsMessages.MESSAGE_ID) != null && given.getFirst("ce-id") == null)
            headers.put("semel-dead-id", given.getFirst(NatsMessages.MESSAGE_ID));
        headers.put(NatsMessages.MESSAGE_ID, id(message));
        headers.put("semel-dead-subject", message.getSubject());
        headers.put("semel-dead-consumer", plan.durable());
        headers.put("semel-dead-reason", HeaderText.encode(shortened(reason)));
        return NatsMessage.builder()
                .subject(subject)
                .headers(headers)
                .data(message.getData())
                .build();
    }

    /**
     * Of this message in this stream, and not of its contents: the stream for dead letters may be the same one, which would drop a
     * letter with an id that it knows, and a letter that was sent again may fail again.
     */
    private String id(Message message) {
        NatsJetStreamMetaData metaData = message.metaData();
        return "semel-dead/" + plan.stream() + "/" + plan.durable() + "/" + metaData.streamSequence() + "/"
                + metaData.timestamp().toInstant().toEpochMilli();
    }

    private static String shortened(String reason) {
        return reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
    }
}
