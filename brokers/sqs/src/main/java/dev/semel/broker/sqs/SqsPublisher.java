package dev.semel.broker.sqs;

import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.OneInFlight;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.message.OutgoingMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends waves of messages, of each key one at a time: SQS answers for each message of a batch by itself, and may take the next one when
 * it has refused one. The batches of a wave are sent side by side.
 */
final class SqsPublisher implements Publisher {
    private static final Delivery LATER = new Delivery.Retry("there was no time left for it", Delivery.Cause.ORDER);
    private static final int MOST_ENTRIES = 10;

    private final SqsSettings settings;
    private final SqsBatches batches;
    private final ExecutorService sending = Executors.newVirtualThreadPerTaskExecutor();

    SqsPublisher(SqsSettings settings, SqsBatches batches) {
        this.settings = settings;
        this.batches = batches;
    }

    @Override
    public List<Delivery> publish(List<OutgoingMessage> shipment) throws InterruptedException {
        long began = System.nanoTime();
        return OneInFlight.publish(shipment, wave -> {
            boolean late = System.nanoTime() - began > settings.lastBegin().toNanos();
            return late ? wave.stream().map(it -> LATER).toList() : send(wave);
        });
    }

    private List<Delivery> send(List<OutgoingMessage> wave) throws InterruptedException {
        long deadline = System.nanoTime() + settings.longestWave().toNanos();
        Delivery[] deliveries = new Delivery[wave.size()];
        Map<List<Integer>, Future<List<Delivery>>> answers = new LinkedHashMap<>();
        for (List<Integer> places : batched(wave, deliveries)) {
            List<OutgoingMessage> batch = places.stream().map(wave::get).toList();
            answers.put(places, sending.submit(() -> batches.send(batch, deadline)));
        }
        try {
            for (Map.Entry<List<Integer>, Future<List<Delivery>>> each : answers.entrySet()) {
                List<Integer> places = each.getKey();
                List<Delivery> answered = answer(each.getValue(), deadline, places.size());
                for (int i = 0; i < places.size(); i++) deliveries[places.get(i)] = answered.get(i);
            }
        } finally {
            for (Future<?> each : answers.values()) each.cancel(true);
        }
        return List.of(deliveries);
    }

    /** By queue, as many together as fit. Answers for those that no queue can have. */
    private List<List<Integer>> batched(List<OutgoingMessage> wave, Delivery[] deliveries) {
        List<List<Integer>> all = new ArrayList<>();
        Map<String, List<Integer>> open = new LinkedHashMap<>();
        Map<String, Long> bytes = new LinkedHashMap<>();
        for (int i = 0; i < wave.size(); i++) {
            String topic = wave.get(i).topic();
            if (!QueueName.isName(topic)) {
                deliveries[i] = SqsFailures.noName(topic);
                continue;
            }
            long size = batches.size(wave.get(i));
            List<Integer> batch = open.get(topic);
            long together = bytes.getOrDefault(topic, 0L) + size;
            if (batch == null || batch.size() == MOST_ENTRIES || together > settings.batchBytes()) {
                batch = new ArrayList<>();
                all.add(batch);
                open.put(topic, batch);
                bytes.put(topic, 0L);
            }
            batch.add(i);
            bytes.merge(topic, size, Long::sum);
        }
        return all;
    }

    private static List<Delivery> answer(Future<List<Delivery>> answer, long deadline, int messages)
            throws InterruptedException {
        Delivery none;
        try {
            Duration left = Duration.ofNanos(Math.max(deadline - System.nanoTime(), 0));
            return answer.get(left.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            none = new Delivery.Retry("SQS has not answered in time", Delivery.Cause.BROKER);
        } catch (ExecutionException e) {
            none = new Delivery.Retry("SQS has not taken it: " + e.getCause(), Delivery.Cause.BROKER);
        }
        List<Delivery> all = new ArrayList<>();
        for (int i = 0; i < messages; i++) all.add(none);
        return all;
    }

    @Override
    public void close() {
        sending.shutdownNow();
    }
}
