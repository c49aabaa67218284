package dev.semel.broker.nats;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import io.nats.client.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Handles what one connection has brought, and tells NATS what became of it. Meanwhile NATS hears that it is being worked on. */
final class HandledBatch implements AutoCloseable {
    private final NatsConsumer.Plan plan;
    private final Receiver receiver;
    private final ConsumerEvent.Listener listener;
    private final FailureCounts failures;
    private final DeadLetterSubject deadLetters;
    private final CountDownLatch stopped;
    private final ScheduledExecutorService working =
            Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    private final ScheduledFuture<?> told;
    private volatile List<Message> underWay = List.of();
    private int databaseFailures;

    HandledBatch(
            NatsConsumer.Plan plan,
            Receiver receiver,
            ConsumerEvent.Listener listener,
            FailureCounts failures,
            NatsLink link,
            CountDownLatch stopped) {
        this.plan = plan;
        this.receiver = receiver;
        this.listener = listener;
        this.failures = failures;
        this.deadLetters = new DeadLetterSubject(plan, link);
        this.stopped = stopped;
        long often = plan.ackWait().toNanos() / 3;
        this.told = working.scheduleAtFixedRate(this::sayWorking, often, often, TimeUnit.NANOSECONDS);
    }

    private void sayWorking() {
        try {
            underWay.forEach(Message::inProgress);
        } catch (IllegalStateException e) {
            // The connection is gone: they come again.
        }
    }

    /** @throws BrokerException when NATS does not confirm: what it has not heard of comes again */
    void handle(List<Message> messages) throws InterruptedException {
        underWay = List.copyOf(messages);
        try {
            List<IncomingMessage> incoming =
                    messages.stream().map(NatsMessages::incoming).toList();
            List<Reception> receptions = receiver.receive(incoming);
            settle(messages, incoming, receptions);
        } finally {
            underWay = List.of();
        }
    }

    private void settle(List<Message> messages, List<IncomingMessage> incoming, List<Reception> receptions)
            throws InterruptedException {
        List<Message> done = new ArrayList<>();
        int duplicates = 0;
        String away = null;
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            switch (receptions.get(i)) {
                case Reception.Done(boolean first) -> {
                    done.add(message);
                    if (!first) duplicates++;
                }
                case Reception.Failed(Throwable failure) -> failed(message, incoming.get(i), failure);
                case Reception.Rejected(String reason) -> rejected(message, incoming.get(i), reason);
                case Reception.Behind it -> message.nakWithDelay(plan.retry().firstPause());
                case Reception.Away(String reason) -> {
                    away = reason;
                    message.nakWithDelay(plan.retry().firstPause());
                }
            }
        }
        acknowledge(done, duplicates);
        if (away == null) databaseFailures = 0;
        else await(away);
    }

    /** The server takes them in this order, so its word for the last one is for all. */
    private void acknowledge(List<Message> done, int duplicates) throws InterruptedException {
        if (done.isEmpty()) return;
        for (Message message : done) failures.forget(sequence(message));
        listener.on(new ConsumerEvent.Handled(done.size() - duplicates, duplicates));
        try {
            for (Message message : done.subList(0, done.size() - 1)) message.ack();
            done.getLast().ackSync(plan.settings().ackTimeout());
        } catch (TimeoutException e) {
            throw new BrokerException("NATS has not confirmed an acknowledgement", e);
        }
    }

    private void await(String reason) throws InterruptedException {
        listener.on(new ConsumerEvent.DatabaseAway(reason));
        Duration pause = plan.retry().pauseAfter(++databaseFailures);
        if (stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) databaseFailures = 0;
    }

    private void failed(Message message, IncomingMessage incoming, Throwable failure) {
        int attempt = failures.failed(sequence(message));
        listener.on(new ConsumerEvent.Failed(incoming.id(), incoming.topic(), attempt, failure));
        // What an exception says may hold anything; its kind does not.
        if (attempt < plan.retry().attempts()
                || !park(
                        message,
                        incoming,
                        "failed " + attempt + " times: " + failure.getClass().getName()))
            message.nakWithDelay(plan.retry().pauseAfter(attempt));
    }

    private void rejected(Message message, IncomingMessage incoming, String reason) {
        if (park(message, incoming, reason)) return;
        int attempt = failures.failed(sequence(message));
        listener.on(new ConsumerEvent.Failed(
                incoming.id(),
                incoming.topic(),
                attempt,
                new IllegalStateException(
                        "It will never be handled, and there is no place for dead letters: " + reason)));
        message.nakWithDelay(plan.retry().longestPause());
    }

    /** @return false when there is no place for dead letters */
    private boolean park(Message message, IncomingMessage incoming, String reason) {
        if (!deadLetters.isThere()) return false;
        deadLetters.send(message, reason);
        // C: a copy is there, and the message is still here; then it is copied again, under the same id, which NATS
        // drops.
        message.term();
        failures.forget(sequence(message));
        listener.on(new ConsumerEvent.Parked(incoming.id(), incoming.topic(), reason));
        return true;
    }

    private static long sequence(Message message) {
        return message.metaData().streamSequence();
    }

    @Override
    public void close() {
        told.cancel(false);
        working.shutdownNow();
    }
}
