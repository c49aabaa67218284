package dev.semel.broker.rabbitmq;

import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import dev.semel.messaging.consume.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Has the messages of a session handled, and tells RabbitMQ what became of each. For one thread. */
final class ConsumerWork {
    private static final long FOR_EVER = Duration.ofHours(1).toNanos();

    private final ConsumerSession session;
    private final Receiver receiver;
    private final RetrySettings retries;
    private final int batch;
    private final ConsumerEvent.Listener listener;
    private final ConsumerLoop.FailureCounts failureCounts;

    private boolean doneAny;
    private int databaseFailures;

    /** Nothing is tried before then, because the database was away. */
    private long pausedUntil = System.nanoTime();

    ConsumerWork(
            ConsumerSession session,
            Receiver receiver,
            RetrySettings retries,
            int batch,
            ConsumerEvent.Listener listener,
            ConsumerLoop.FailureCounts failureCounts) {
        this.session = session;
        this.receiver = receiver;
        this.retries = retries;
        this.batch = batch;
        this.listener = listener;
        this.failureCounts = failureCounts;
    }

    boolean hasDoneAny() {
        return doneAny;
    }

    /** @throws dev.semel.messaging.broker.BrokerException when the connection is broken: what is in hand comes again */
    void untilStopped() throws InterruptedException {
        session.runEvents(0);
        while (!session.isStopping()) {
            List<HeldMessage> next = isPaused() ? List.of() : session.held().next(System.nanoTime(), batch);
            if (next.isEmpty()) session.runEvents(untilSomethingIsDue());
            else {
                handle(next);
                session.runEvents(0);
            }
        }
    }

    private boolean isPaused() {
        return pausedUntil - System.nanoTime() > 0;
    }

    private long untilSomethingIsDue() {
        if (isPaused()) return Math.max(0, pausedUntil - System.nanoTime());
        OptionalLong due = session.held().nextDue();
        return due.isEmpty() ? FOR_EVER : Math.max(0, due.getAsLong() - System.nanoTime());
    }

    private void handle(List<HeldMessage> messages) throws InterruptedException {
        List<Reception> receptions =
                receiver.receive(messages.stream().map(it -> it.message).toList());
        List<HeldMessage> done = new ArrayList<>();
        int duplicates = 0;
        String away = null;
        for (int i = 0; i < messages.size(); i++) {
            HeldMessage message = messages.get(i);
            switch (receptions.get(i)) {
                case Reception.Done(boolean first) -> {
                    done.add(message);
                    if (!first) duplicates++;
                }
                case Reception.Failed(Throwable failure) -> failed(message, failure);
                case Reception.Rejected(String reason) -> park(message, reason);
                case Reception.Behind it -> {}
                case Reception.Away(String reason) -> away = reason;
            }
        }
        acknowledge(done);
        if (!done.isEmpty()) listener.on(new ConsumerEvent.Handled(done.size() - duplicates, duplicates));
        pauseIf(away);
    }

    private void failed(HeldMessage message, Throwable failure) throws InterruptedException {
        int failures = failureCounts.failed(message.message.id());
        message.failures = failures;
        message.due = System.nanoTime() + retries.pauseAfter(failures).toNanos();
        listener.on(new ConsumerEvent.Failed(message.message.id(), message.message.topic(), failures, failure));
        if (failures >= retries.attempts()) park(message, "tried " + failures + " times: " + failure);
    }

    private void park(HeldMessage message, String reason) throws InterruptedException {
        session.park(message, reason);
        session.held().remove(message);
        failureCounts.forget(message.message.id());
        doneAny = true;
        listener.on(new ConsumerEvent.Parked(message.message.id(), message.message.topic(), reason));
    }

    private void acknowledge(List<HeldMessage> done) {
        done.forEach(session.held()::remove);
        long together = 0;
        for (HeldMessage message : done) {
            failureCounts.forget(message.message.id());
            if (session.held().isNothingUpTo(message.tag)) together = message.tag;
            else session.acknowledge(message.tag, false);
        }
        if (together > 0) session.acknowledge(together, true);
        doneAny |= !done.isEmpty();
    }

    private void pauseIf(@Nullable String away) {
        databaseFailures = away == null ? 0 : databaseFailures + 1;
        if (away == null) return;
        pausedUntil = System.nanoTime() + retries.pauseAfter(databaseFailures).toNanos();
        listener.on(new ConsumerEvent.DatabaseAway(away));
    }
}
