package dev.semel.broker.kafka;

import dev.semel.broker.kafka.PartitionLane.Item;
import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.Receiver;
import dev.semel.messaging.consume.Reception;
import dev.semel.messaging.consume.RetrySettings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The loop of a receiver. One thread reads, and tells Kafka what is done; batches are handled beside it, one of each partition at a
 * time. So it goes on reading, and stays in its group, however long a handler takes.
 */
final class ReceiveLoop implements Runnable, ConsumerRebalanceListener {
    private static final Duration BUSY = Duration.ofMillis(5);
    private static final Duration IDLE = Duration.ofMillis(50);
    private static final Duration AFTER_FAILURE = Duration.ofMillis(200);
    private static final Duration COMMIT = Duration.ofSeconds(5);

    /** How long others of the group wait for what this one is handling. */
    private static final Duration HAND_OVER = Duration.ofSeconds(10);

    private final Receiver receiver;
    private final Set<String> topics;
    private final ConsumerSettings settings;
    private final RetrySettings retries;
    private final @Nullable DeadLetterTopic letters;
    private final ConsumerEvent.Listener listener;
    private final Semaphore atOnce;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Map<TopicPartition, PartitionLane> lanes = new HashMap<>();
    private final Map<PartitionLane, Batch> underWay = new HashMap<>();
    private final Queue<Result> results = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean stopping;
    private volatile Duration grace = HAND_OVER;

    ReceiveLoop(
            Receiver receiver,
            Set<String> topics,
            ConsumerSettings settings,
            RetrySettings retries,
            @Nullable DeadLetterTopic letters,
            int atOnce,
            ConsumerEvent.Listener listener) {
        this.receiver = receiver;
        this.topics = topics;
        this.settings = settings;
        this.retries = retries;
        this.letters = letters;
        this.listener = listener;
        this.atOnce = new Semaphore(atOnce);
        this.consumer =
                new KafkaConsumer<>(settings.values(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private record Batch(Thread thread, CountDownLatch over) {}

    /** @param receptions null when something else went wrong than a message */
    private record Result(
            PartitionLane lane, List<Item> batch, @Nullable List<Reception> receptions) {}

    CompletableFuture<Void> ended() {
        return ended;
    }

    void stop(Duration within) {
        grace = within;
        stopping = true;
    }

    @Override
    public void run() {
        Throwable why = null;
        try {
            consumer.subscribe(topics, this);
            while (!stopping) roundOrPause();
        } catch (Throwable e) {
            why = e;
        }
        try {
            leave();
        } finally {
            if (why == null) ended.complete(null);
            else ended.completeExceptionally(why);
        }
    }

    private void roundOrPause() {
        try {
            round();
        } catch (KafkaException e) {
            listener.on(new ConsumerEvent.BrokerAway(String.valueOf(e.getMessage())));
            LockSupport.parkNanos(AFTER_FAILURE.toNanos());
        }
    }

    private void round() {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(underWay.isEmpty() ? IDLE : BUSY);
        for (TopicPartition partition : records.partitions())
            lanes.computeIfAbsent(partition, it -> new PartitionLane(it, retries))
                    .take(records.records(partition));
        settle();
        for (PartitionLane lane : lanes.values()) {
            lane.sendLetters(letters, System.nanoTime(), listener);
            begin(lane);
        }
        commit();
        consumer.pause(partitions(true));
        consumer.resume(partitions(false));
    }

    private List<TopicPartition> partitions(boolean full) {
        Set<TopicPartition> assigned = consumer.assignment();
        return lanes.values().stream()
                .filter(lane -> lane.isFull() == full && assigned.contains(lane.partition()))
                .map(PartitionLane::partition)
                .toList();
    }

    private void begin(PartitionLane lane) {
        List<Item> batch = lane.next(settings.batch(), System.nanoTime());
        if (batch.isEmpty()) return;
        CountDownLatch over = new CountDownLatch(1);
        Thread thread = Thread.ofVirtual()
                .name("semel-" + receiver.consumer() + "-" + lane.partition())
                .start(() -> handle(lane, batch, over));
        underWay.put(lane, new Batch(thread, over));
    }

    private void handle(PartitionLane lane, List<Item> batch, CountDownLatch over) {
        List<Reception> receptions = null;
        try {
            atOnce.acquire();
            try {
                receptions = receiver.receive(batch.stream().map(Item::message).toList());
            } finally {
                atOnce.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            listener.on(new ConsumerEvent.DatabaseAway(e.toString()));
        } finally {
            results.add(new Result(lane, batch, receptions));
            over.countDown();
        }
    }

    /** What is over of partitions that another one has meanwhile is of no interest. */
    private void settle() {
        for (Result result = results.poll(); result != null; result = results.poll()) {
            PartitionLane lane = result.lane();
            underWay.remove(lane);
            if (lanes.get(lane.partition()) != lane) continue;
            if (result.receptions() == null) lane.failed(System.nanoTime());
            else lane.settle(result.batch(), result.receptions(), System.nanoTime(), listener);
        }
    }

    private void commit() {
        Map<PartitionLane, Long> done = done(lanes.values());
        done.keySet().removeIf(PartitionLane::isCommitting);
        if (done.isEmpty()) return;
        done.keySet().forEach(PartitionLane::committing);
        consumer.commitAsync(
                offsets(done),
                (asked, failure) -> done.forEach((lane, offset) -> lane.committed(failure == null ? offset : -1)));
    }

    private static Map<PartitionLane, Long> done(Collection<PartitionLane> lanes) {
        Map<PartitionLane, Long> done = new HashMap<>();
        for (PartitionLane lane : lanes) {
            long offset = lane.uncommitted();
            if (offset >= 0) done.put(lane, offset);
        }
        return done;
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<PartitionLane, Long> done) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        done.forEach((lane, offset) -> offsets.put(lane.partition(), new OffsetAndMetadata(offset)));
        return offsets;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        // A lane begins with its first message.
    }

    /** What is done is committed, so that the next one does not begin with it; what is not is the next one's. */
    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        handOver(partitions, stopping ? grace : HAND_OVER);
    }

    /** Others have them already. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        partitions.forEach(lanes::remove);
    }

    private void handOver(Collection<TopicPartition> partitions, Duration within) {
        long deadline = System.nanoTime() + within.toNanos();
        List<PartitionLane> left = lanes.values().stream()
                .filter(lane -> partitions.contains(lane.partition()))
                .toList();
        for (PartitionLane lane : left) {
            Batch batch = underWay.get(lane);
            if (batch != null) await(batch.over(), deadline - System.nanoTime());
        }
        settle();
        partitions.forEach(lanes::remove);
        Map<PartitionLane, Long> done = done(left);
        if (done.isEmpty()) return;
        try {
            consumer.commitSync(offsets(done), COMMIT);
        } catch (KafkaException e) {
            // They come once more, and are recognized.
            listener.on(new ConsumerEvent.BrokerAway(String.valueOf(e.getMessage())));
        }
    }

    private static void await(CountDownLatch over, long nanos) {
        try {
            boolean inTime = over.await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            if (!inTime) return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void leave() {
        try {
            handOver(List.copyOf(lanes.keySet()), grace);
            underWay.values().forEach(batch -> batch.thread().interrupt());
            consumer.close(CloseOptions.timeout(COMMIT));
        } catch (KafkaException e) {
            listener.on(new ConsumerEvent.BrokerAway(String.valueOf(e.getMessage())));
        } finally {
            if (letters != null) letters.close();
        }
    }
}
