package dev.semel.broker.sqs;

import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Handles what one call has brought, and tells SQS what became of it. Meanwhile nobody else gets it. */
final class ReceivedBatch implements AutoCloseable {
    private final SqsConsumer.Plan plan;
    private final SqsClient client;
    private final String url;
    private final RedrivePolicy policy;
    private final Receiver receiver;
    private final FailingMessages failing;
    private final CountDownLatch stopped;
    private final ConsumerEvent.Listener listener;
    private final HiddenMessages hidden;

    ReceivedBatch(
            SqsConsumer.Plan plan,
            SqsClient client,
            String url,
            RedrivePolicy policy,
            Receiver receiver,
            FailingMessages failing,
            CountDownLatch stopped) {
        this.plan = plan;
        this.client = client;
        this.url = url;
        this.policy = policy;
        this.receiver = receiver;
        this.failing = failing;
        this.stopped = stopped;
        this.listener = plan.listener();
        this.hidden = new HiddenMessages(client, url, plan.visibility());
    }

    /** @throws software.amazon.awssdk.core.exception.SdkException when SQS does not hear of it: it comes again, and takes no effect */
    void handle(List<Message> messages) throws InterruptedException {
        hidden.keep(messages);
        List<IncomingMessage> incoming = new ArrayList<>();
        List<Reception> receptions;
        try {
            for (Message message : messages) incoming.add(read(message));
            receptions = receive(incoming);
        } finally {
            hidden.release();
        }
        settle(messages, incoming, receptions);
    }

    /** One that cannot be read has no id either, so it is rejected with those that have none. */
    private IncomingMessage read(Message message) {
        try {
            return SqsMessages.incoming(plan.queue(), message);
        } catch (IllegalArgumentException e) {
            return new IncomingMessage(null, plan.queue(), null, null, Map.of(), new byte[0]);
        }
    }

    /** While the database is away the messages stay here: each time that SQS hands one out counts against it. */
    private List<Reception> receive(List<IncomingMessage> incoming) throws InterruptedException {
        @Nullable Reception[] kept = new Reception[incoming.size()];
        for (int away = 1; ; away++) {
            List<Reception> now = receiver.receive(incoming);
            String reason = null;
            for (int i = 0; i < kept.length; i++) {
                if (!(kept[i] instanceof Reception.Done)) kept[i] = now.get(i);
                if (kept[i] instanceof Reception.Away(String why)) reason = why;
            }
            if (reason == null) break;
            listener.on(new ConsumerEvent.DatabaseAway(reason));
            if (stopped.await(plan.retry().pauseAfter(away).toNanos(), TimeUnit.NANOSECONDS)) break;
        }
        return List.of(kept);
    }

    private void settle(List<Message> messages, List<IncomingMessage> incoming, List<Reception> receptions) {
        List<DeleteMessageBatchRequestEntry> done = new ArrayList<>();
        Map<Message, Duration> again = new LinkedHashMap<>();
        int duplicates = 0;
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            switch (receptions.get(i)) {
                case Reception.Done(boolean first) -> {
                    done.add(DeleteMessageBatchRequestEntry.builder()
                            .id(Integer.toString(i))
                            .receiptHandle(message.receiptHandle())
                            .build());
                    if (!first) duplicates++;
                    failing.over(message.messageId());
                }
                case Reception.Failed(Throwable failure) ->
                    again.put(message, failed(message, incoming.get(i), failure, false));
                case Reception.Rejected(String reason) ->
                    again.put(message, failed(message, incoming.get(i), new IllegalArgumentException(reason), true));
                case Reception.Behind it -> again.put(message, Duration.ZERO);
                case Reception.Away it -> again.put(message, Duration.ZERO);
            }
        }
        if (!done.isEmpty()) {
            listener.on(new ConsumerEvent.Handled(done.size() - duplicates, duplicates));
            client.deleteMessageBatch(it -> it.queueUrl(url).entries(done));
        }
        hidden.change(again);
    }

    /** @return after how long it comes again, if it does */
    private Duration failed(Message message, IncomingMessage incoming, Throwable failure, boolean forGood) {
        int reception = reception(message);
        listener.on(new ConsumerEvent.Failed(incoming.id(), incoming.topic(), reception, failure));
        if (QueueName.isFifo(plan.queue())) failing.failed(message.messageId());
        if (policy.isLast(reception)) {
            failing.over(message.messageId());
            listener.on(new ConsumerEvent.Parked(
                    incoming.id(),
                    incoming.topic(),
                    "received " + reception + " times; SQS moves it to the queue for dead letters"));
        }
        // The sooner it has been received often enough, the better.
        if (forGood && policy.isThere()) return Duration.ZERO;
        return plan.retry().pauseAfter(reception);
    }

    private static int reception(Message message) {
        String count = message.attributes().get(MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT);
        return count == null ? 1 : Integer.parseInt(count);
    }

    @Override
    public void close() {
        hidden.close();
    }
}
