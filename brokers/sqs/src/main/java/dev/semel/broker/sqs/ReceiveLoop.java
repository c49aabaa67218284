package dev.semel.broker.sqs;

import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/** Asks for messages and hands them over, again and again. One thread runs it. */
final class ReceiveLoop implements Runnable {
    private static final int MOST_MESSAGES = 10;

    private final SqsConsumer.Plan plan;
    private final SqsClient client;
    private final Receiver receiver;
    private final ConsumerEvent.Listener listener;
    private final FailingMessages failing;
    private final CountDownLatch stopped;

    ReceiveLoop(
            SqsConsumer.Plan plan,
            SqsClient client,
            Receiver receiver,
            FailingMessages failing,
            CountDownLatch stopped) {
        this.plan = plan;
        this.client = client;
        this.receiver = receiver;
        this.listener = plan.listener();
        this.failing = failing;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        int inARow = 0;
        try {
            while (stopped.getCount() > 0) {
                long began = System.nanoTime();
                String reason = receive();
                if (reason == null || stopped.getCount() == 0) return;
                // What has worked for a while has not failed before.
                boolean worked =
                        System.nanoTime() - began > plan.retry().longestPause().toNanos();
                inARow = worked ? 1 : inARow + 1;
                listener.on(new ConsumerEvent.BrokerAway(reason));
                Duration pause = plan.retry().pauseAfter(inARow);
                if (stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS)) return;
            }
        } catch (InterruptedException | AbortedException e) {
            // It was asked to stop, and did not in time.
        }
    }

    /** @return why it does not any more; null when it is to stop */
    private @Nullable String receive() throws InterruptedException {
        try {
            String url = new QueueUrls(client, plan.settings()).of(plan.queue());
            RedrivePolicy policy = RedrivePolicy.of(client, url);
            if (!policy.isThere() && plan.deadLetters())
                return "queue " + plan.queue()
                        + " has no redrive policy, so a message that cannot be handled would be tried"
                        + " until SQS forgets it: give it one (RedrivePolicy), or start withoutDeadLetters()";
            try (ReceivedBatch batch = new ReceivedBatch(plan, client, url, policy, receiver, failing, stopped)) {
                while (stopped.getCount() > 0) {
                    List<Message> messages = receive(url);
                    if (!messages.isEmpty()) batch.handle(messages);
                }
            }
            return null;
        } catch (AbortedException e) {
            throw e;
        } catch (SdkException e) {
            if (SqsFailures.isQueueMissing(e)) return "SQS has no queue " + plan.queue();
            if (SqsFailures.isDenied(e)) return "SQS does not allow this user to use queue " + plan.queue();
            return plan.settings() + ": " + SqsFailures.reason(e);
        } catch (RuntimeException e) {
            return plan.settings() + ": " + e;
        }
    }

    private List<Message> receive(String url) {
        int most = failing.any() ? 1 : MOST_MESSAGES;
        return client.receiveMessage(it -> it.queueUrl(url)
                        .maxNumberOfMessages(most)
                        .waitTimeSeconds(Math.toIntExact(plan.longPoll().toSeconds()))
                        .visibilityTimeout(Math.toIntExact(plan.visibility().toSeconds()))
                        .messageAttributeNames("All")
                        .messageSystemAttributeNames(
                                MessageSystemAttributeName.APPROXIMATE_RECEIVE_COUNT,
                                MessageSystemAttributeName.MESSAGE_GROUP_ID))
                .messages();
    }
}
