package dev.semel.broker.sqs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.ChangeMessageVisibilityBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.Message;

/** Keeps messages hidden from other consumers for as long as they are being handled. */
final class HiddenMessages implements AutoCloseable {
    private final SqsClient client;
    private final String url;
    private final Duration visibility;
    private final ReentrantLock lock = new ReentrantLock();
    private final ScheduledExecutorService keeping =
            Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    private final ScheduledFuture<?> told;

    /** Guarded by the lock, which is held also while SQS is told: nothing is hidden again after its release. */
    private List<Message> kept = List.of();

    HiddenMessages(SqsClient client, String url, Duration visibility) {
        this.client = client;
        this.url = url;
        this.visibility = visibility;
        long often = visibility.toNanos() / 3;
        this.told = keeping.scheduleAtFixedRate(this::hideLonger, often, often, TimeUnit.NANOSECONDS);
    }

    void keep(List<Message> messages) {
        set(messages);
    }

    void release() {
        set(List.of());
    }

    private void set(List<Message> messages) {
        lock.lock();
        try {
            kept = messages;
        } finally {
            lock.unlock();
        }
    }

    private void hideLonger() {
        lock.lock();
        try {
            Map<Message, Duration> all = new LinkedHashMap<>();
            for (Message message : kept) all.put(message, visibility);
            change(all);
        } catch (SdkException e) {
            // Somebody else may get them: the inbox knows them.
        } finally {
            lock.unlock();
        }
    }

    /** Hides these for so long from now on, in whole seconds. */
    void change(Map<Message, Duration> times) {
        if (times.isEmpty()) return;
        List<ChangeMessageVisibilityBatchRequestEntry> entries = new ArrayList<>();
        times.forEach((message, time) -> entries.add(ChangeMessageVisibilityBatchRequestEntry.builder()
                .id(Integer.toString(entries.size()))
                .receiptHandle(message.receiptHandle())
                .visibilityTimeout(Math.toIntExact((time.toMillis() + 999) / 1000))
                .build()));
        client.changeMessageVisibilityBatch(it -> it.queueUrl(url).entries(entries));
    }

    @Override
    public void close() {
        told.cancel(false);
        keeping.shutdownNow();
    }
}
