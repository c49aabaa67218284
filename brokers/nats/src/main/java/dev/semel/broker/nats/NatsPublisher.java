package dev.semel.broker.nats;

import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.OneInFlight;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.message.OutgoingMessage;
import io.nats.client.JetStreamStatusException;
import io.nats.client.Message;
import io.nats.client.impl.NatsMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends waves of messages, of each key one at a time: JetStream answers for each by itself, and may take the next one when it has
 * refused one. A connection on which something was not answered is given up.
 */
final class NatsPublisher implements Publisher {
    private static final Delivery LATER = new Delivery.Retry("there was no time left for it", Delivery.Cause.ORDER);

    private final NatsSettings settings;
    private final NatsMessages messages;
    private final String name;

    /** Null after a failure; then the next shipment begins with a new one. */
    private @Nullable NatsLink link;

    NatsPublisher(NatsSettings settings, NatsMessages messages, String name) {
        this.settings = settings;
        this.messages = messages;
        this.name = name;
    }

    /** Connects, unless it is connected. */
    NatsLink connect() throws InterruptedException {
        NatsLink current = link;
        if (current != null && current.isOpen()) return current;
        drop();
        current = NatsLink.open(settings, name);
        link = current;
        return current;
    }

    @Override
    public List<Delivery> publish(List<OutgoingMessage> shipment) throws InterruptedException {
        long began = System.nanoTime();
        NatsLink current = connect();
        try {
            return OneInFlight.publish(shipment, wave -> {
                boolean late = System.nanoTime() - began > settings.lastBegin().toNanos();
                return late ? wave.stream().map(it -> LATER).toList() : send(current, wave);
            });
        } catch (InterruptedException e) {
            drop();
            throw e;
        }
    }

    private List<Delivery> send(NatsLink current, List<OutgoingMessage> wave) throws InterruptedException {
        long began = System.nanoTime();
        List<CompletableFuture<Delivery>> answers = new ArrayList<>();
        for (OutgoingMessage message : wave) answers.add(send(current, message));
        Unanswered unanswered = new Unanswered(current, began);
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < wave.size(); i++) {
            long left = settings.ackTimeout().toNanos() - (System.nanoTime() - began);
            deliveries.add(delivery(answers.get(i), left, wave.get(i).topic(), unanswered));
        }
        if (unanswered.anySilent()) drop();
        return deliveries;
    }

    private CompletableFuture<Delivery> send(NatsLink current, OutgoingMessage message) {
        if (!NatsMessages.isSubject(message.topic()))
            return CompletableFuture.completedFuture(PublishAnswers.noSubject(message.topic()));
        NatsMessage sent = messages.message(message);
        long most = current.connection().getServerInfo().getMaxPayload();
        long size = NatsMessages.size(sent);
        if (most > 0 && size > most) return CompletableFuture.completedFuture(PublishAnswers.tooLarge(size, most));
        CompletableFuture<Message> answer = current.request(sent);
        return answer.thenApply(it -> PublishAnswers.delivery(message.topic(), it));
    }

    private static Delivery delivery(
            CompletableFuture<Delivery> answer, long nanos, String subject, Unanswered unanswered)
            throws InterruptedException {
        try {
            return answer.get(Math.max(nanos, 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return unanswered.silent(subject);
        } catch (CancellationException e) {
            return PublishAnswers.noAnswer("the connection to NATS broke");
        } catch (ExecutionException e) {
            return switch (e.getCause()) {
                case JetStreamStatusException nobody -> unanswered.nobody(subject);
                case NatsLink.DeniedException denied ->
                    new Delivery.Retry(String.valueOf(denied.getMessage()), Delivery.Cause.MESSAGE);
                case CancellationException broken -> PublishAnswers.noAnswer("the connection to NATS broke");
                case null, default -> PublishAnswers.noAnswer("NATS has not taken it: " + e.getCause());
            };
        }
    }

    /** Subjects of one wave that nobody has answered on: there is no stream for them, or it is away. */
    private final class Unanswered {
        private final NatsLink current;
        private final long began;
        private final Map<String, StreamLookup.Found> found = new HashMap<>();
        private boolean silent;

        Unanswered(NatsLink current, long began) {
            this.current = current;
            this.began = began;
        }

        /** Whether anything may still be under way on this connection. */
        boolean anySilent() {
            return silent;
        }

        /** A subject that only somebody else listens to does not answer either. */
        Delivery silent(String subject) {
            silent = true;
            return delivery(subject, "NATS has not answered within " + settings.ackTimeout());
        }

        Delivery nobody(String subject) {
            return delivery(subject, "the stream of subject " + subject + " is away, or JetStream is");
        }

        private Delivery delivery(String subject, String otherwise) {
            return look(subject) == StreamLookup.Found.NO_STREAM
                    ? PublishAnswers.noStream(subject)
                    : PublishAnswers.noAnswer(otherwise);
        }

        private StreamLookup.Found look(String subject) {
            StreamLookup.Found known = found.get(subject);
            if (known != null) return known;
            Duration timeout = settings.ackTimeout().dividedBy(2);
            long left = settings.ackTimeout().multipliedBy(2).toNanos() - (System.nanoTime() - began);
            boolean hopeless = found.containsValue(StreamLookup.Found.UNKNOWN) || left < timeout.toNanos();
            StreamLookup.Found now =
                    hopeless ? StreamLookup.Found.UNKNOWN : new StreamLookup(current, timeout).find(subject);
            found.put(subject, now);
            return now;
        }
    }

    private void drop() {
        if (link != null) link.drop();
        link = null;
    }

    @Override
    public void close() {
        drop();
    }
}
