package dev.semel.broker.sqs;

import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.message.OutgoingMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/** Sends batches to one queue each. Safe for use by any thread. */
final class SqsBatches {
    private static final Delivery LATER = new Delivery.Retry("there was no time left for it", Delivery.Cause.ORDER);

    private final SqsClient client;
    private final SqsMessages messages;
    private final QueueUrls urls;
    private final Semaphore calls;

    SqsBatches(SqsClient client, SqsSettings settings, SqsMessages messages) {
        this.client = client;
        this.messages = messages;
        this.urls = new QueueUrls(client, settings);
        this.calls = new Semaphore(settings.connections(), true);
    }

    long size(OutgoingMessage message) {
        return SqsMessages.size(messages.entry(message, "0"));
    }

    /** All of the same topic. */
    List<Delivery> send(List<OutgoingMessage> batch, long deadline) throws InterruptedException {
        if (!calls.tryAcquire(Math.max(deadline - System.nanoTime(), 0), TimeUnit.NANOSECONDS))
            return all(batch, LATER);
        try {
            return send(batch);
        } finally {
            calls.release();
        }
    }

    /** A message that makes SQS refuse all of its batch is found by sending each alone. */
    private List<Delivery> send(List<OutgoingMessage> batch) {
        String queue = batch.getFirst().topic();
        try {
            return call(urls.of(queue), batch);
        } catch (SdkException e) {
            if (SqsFailures.isQueueMissing(e)) urls.forget(queue);
            boolean ofOne = SqsFailures.isRequest(e) && !SqsFailures.isQueueMissing(e) && !SqsFailures.isDenied(e);
            if (!ofOne || batch.size() == 1) return all(batch, SqsFailures.delivery(queue, e));
        }
        List<Delivery> deliveries = new ArrayList<>();
        for (OutgoingMessage message : batch) deliveries.addAll(send(List.of(message)));
        return deliveries;
    }

    private List<Delivery> call(String url, List<OutgoingMessage> batch) {
        List<SendMessageBatchRequestEntry> entries = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) entries.add(messages.entry(batch.get(i), Integer.toString(i)));
        SendMessageBatchResponse answer = client.sendMessageBatch(
                SendMessageBatchRequest.builder().queueUrl(url).entries(entries).build());
        List<Delivery> deliveries =
                all(batch, new Delivery.Retry("SQS has not said what became of it", Delivery.Cause.BROKER));
        answer.successful().forEach(it -> deliveries.set(Integer.parseInt(it.id()), new Delivery.Sent()));
        for (BatchResultErrorEntry it : answer.failed())
            deliveries.set(
                    Integer.parseInt(it.id()),
                    SqsFailures.delivery(batch.getFirst().topic(), it));
        return deliveries;
    }

    private static List<Delivery> all(List<OutgoingMessage> batch, Delivery delivery) {
        List<Delivery> deliveries = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) deliveries.add(delivery);
        return deliveries;
    }
}
