package dev.semel.broker.nats;

import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.JetStreamSubscription;
import io.nats.client.Message;
import io.nats.client.PullSubscribeOptions;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Keeps a connection to NATS, asks for messages, and hands them over. One thread runs it. */
final class ConsumerLoop implements Runnable {
    /** How long a request for messages stays open. */
    private static final Duration PULL = Duration.ofSeconds(5);

    /** How long it takes at most to notice that it is to stop. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    private final NatsConsumer.Plan plan;
    private final Receiver receiver;
    private final ConsumerEvent.Listener listener;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** Whether the last connection lasted until messages were asked for. */
    private boolean asked;

    ConsumerLoop(NatsConsumer.Plan plan, Receiver receiver) {
        this.plan = plan;
        this.receiver = receiver;
        this.listener = plan.listener();
    }

    void stop() {
        stopped.countDown();
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    @Override
    public void run() {
        FailureCounts failures = new FailureCounts();
        int inARow = 0;
        try {
            while (!isStopped()) {
                asked = false;
                String reason = consume(failures);
                if (isStopped()) return;
                inARow = asked ? 1 : inARow + 1;
                listener.on(new ConsumerEvent.BrokerAway(reason));
                Duration pause = plan.retry().pauseAfter(inARow);
                if (stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) return;
            }
        } catch (InterruptedException e) {
            // It was asked to stop, and did not in time.
        }
    }

    /** @return why it does not any more */
    private String consume(FailureCounts failures) throws InterruptedException {
        NatsLink link = null;
        try {
            link = NatsLink.open(plan.settings(), "semel-consumer-" + plan.durable());
            JetStreamSubscription subscription = subscribe(link);
            asked = true;
            try (HandledBatch handled = new HandledBatch(plan, receiver, listener, failures, link, stopped)) {
                while (!isStopped() && link.isOpen()) pull(link, subscription, handled);
            }
            if (link.isOpen()) giveBack(subscription);
            return "the connection to " + plan.settings() + " broke";
        } catch (BrokerException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException | JetStreamApiException | RuntimeException e) {
            return plan.settings() + ": " + e.getMessage();
        } finally {
            if (link != null) link.drop();
        }
    }

    /** With the durable consumer as it has to be, whoever made it: one that gives up after some deliveries would lose messages. */
    private JetStreamSubscription subscribe(NatsLink link) throws IOException, JetStreamApiException {
        JetStreamOptions options = JetStreamOptions.builder()
                .requestTimeout(plan.settings().ackTimeout())
                .build();
        JetStreamManagement management = link.connection().jetStreamManagement(options);
        requireDeadLetters(management);
        management.addOrUpdateConsumer(
                plan.stream(),
                ConsumerConfiguration.builder()
                        .durable(plan.durable())
                        .filterSubject(plan.filter())
                        .ackPolicy(AckPolicy.Explicit)
                        .ackWait(plan.ackWait())
                        .maxDeliver(-1)
                        .maxAckPending(plan.batch())
                        .build());
        JetStreamSubscription subscription = link.connection()
                .jetStream(options)
                .subscribe(null, PullSubscribeOptions.fastBind(plan.stream(), plan.durable()));
        subscription.setPendingLimits(0, 0);
        return subscription;
    }

    private void requireDeadLetters(JetStreamManagement management) throws IOException, JetStreamApiException {
        String subject = plan.deadLetters();
        if (subject == null) return;
        if (management.getStreamNames(subject).isEmpty())
            throw new BrokerException("there is no stream for dead letters, which takes subject " + subject, null);
        boolean own = plan.filter() == null
                && management.getStreamInfo(plan.stream()).getConfiguration().getSubjects().stream()
                        .anyMatch(it -> Subjects.matches(it, subject));
        if (own)
            throw new BrokerException(
                    "the consumer would receive its own dead letters, because subject " + subject
                            + " belongs to stream " + plan.stream() + ": say which subjects it reads",
                    null);
    }

    private void pull(NatsLink link, JetStreamSubscription subscription, HandledBatch handled)
            throws InterruptedException {
        int asked = plan.batch() == 1 ? 100 : plan.batch();
        long began = System.nanoTime();
        subscription.pullExpiresIn(asked, PULL);
        for (int got = 0; got < asked && !isStopped() && link.isOpen(); ) {
            if (System.nanoTime() - began > PULL.toNanos()) return;
            Message first = subscription.nextMessage(LOOK);
            if (first == null) continue;
            List<Message> messages = new ArrayList<>(List.of(first));
            while (messages.size() < plan.batch()) {
                Message next = subscription.nextMessage(AT_ONCE);
                if (next == null) break;
                messages.add(next);
            }
            got += messages.size();
            handled.handle(messages);
        }
    }

    /** What has come and nobody has begun. */
    private static void giveBack(JetStreamSubscription subscription) throws InterruptedException {
        for (Message next = subscription.nextMessage(AT_ONCE); next != null; next = subscription.nextMessage(AT_ONCE))
            next.nak();
    }
}
