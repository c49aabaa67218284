package dev.semel.broker.kafka;

import dev.semel.messaging.consume.ConsumerEvent;
import dev.semel.messaging.consume.IncomingMessage;
import dev.semel.messaging.consume.Reception;
import dev.semel.messaging.consume.RetrySettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What was read of one partition, and what became of it. Kafka is told that all below a number is done, so the lane keeps everything
 * from its first message on that is not. A message that fails holds back its key; other keys go on, up to a limit. For the polling
 * thread alone.
 */
final class PartitionLane {
    private static final int MOST_ITEMS = 2000;
    private static final long MOST_BYTES = 16L * 1024 * 1024;

    private final TopicPartition partition;
    private final RetrySettings retries;
    private final Deque<Item> items = new ArrayDeque<>();

    private long bytes;

    /** All below is done. */
    private long done = -1;

    private long committed = -1;
    private boolean committing;
    private boolean busy;
    private long pausedUntil;
    private int timesAway;

    PartitionLane(TopicPartition partition, RetrySettings retries) {
        this.partition = partition;
        this.retries = retries;
    }

    /** A record, until it is done. */
    static final class Item {
        private final long offset;
        private final int size;
        private @Nullable ConsumerRecord<byte[], byte[]> record;
        private @Nullable IncomingMessage message;
        private int failures;
        private long notBefore;

        /** Why it becomes a dead letter. */
        private @Nullable String error;

        private @Nullable Future<RecordMetadata> letter;

        Item(ConsumerRecord<byte[], byte[]> record) {
            this.offset = record.offset();
            this.size = Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
            this.record = record;
            this.message = IncomingRecords.message(record);
        }

        IncomingMessage message() {
            if (message == null) throw new IllegalStateException("It is done.");
            return message;
        }

        void condemn(String why, long now) {
            error = why;
            notBefore = now;
        }

        boolean isDone() {
            return record == null;
        }
    }

    /** A message that cannot be handled, of a receiver that has nowhere to put it. */
    static final class NoDeadLetterTopicException extends IllegalStateException {
        NoDeadLetterTopicException(TopicPartition partition, long offset, @Nullable String id, String error) {
            super("Message " + id + " (topic " + partition.topic() + ", partition " + partition.partition()
                    + ", offset " + offset + ") cannot be handled, and there is no topic for dead letters, so the"
                    + " receiver has stopped in front of it: " + error);
        }
    }

    TopicPartition partition() {
        return partition;
    }

    boolean isBusy() {
        return busy;
    }

    /** No more is read before something is done. */
    boolean isFull() {
        return items.size() >= MOST_ITEMS || bytes >= MOST_BYTES;
    }

    void take(List<ConsumerRecord<byte[], byte[]>> records) {
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Item item = new Item(record);
            items.add(item);
            bytes += item.size;
        }
    }

    /** What can be handled now, those of a key in their order; none while a batch is under way. One that failed goes alone. */
    List<Item> next(int most, long now) {
        if (busy || now - pausedUntil < 0) return List.of();
        List<Item> batch = new ArrayList<>();
        Set<String> held = new HashSet<>();
        for (Item item : items) {
            if (batch.size() == most) break;
            if (item.isDone() || item.error != null) continue;
            String key = item.message().key();
            if (key != null && held.contains(key)) continue;
            if (item.failures == 0) batch.add(item);
            else if (now - item.notBefore >= 0) return begun(List.of(item));
            else if (key != null) held.add(key);
        }
        return begun(batch);
    }

    private List<Item> begun(List<Item> batch) {
        busy = !batch.isEmpty();
        return batch;
    }

    /** Something went wrong that is nobody's fault here: all of the batch is tried again. */
    void failed(long now) {
        busy = false;
        pausedUntil = now + retries.pauseAfter(++timesAway).toNanos();
    }

    void settle(List<Item> batch, List<Reception> receptions, long now, ConsumerEvent.Listener listener) {
        busy = false;
        int handled = 0;
        int duplicates = 0;
        String away = null;
        for (int i = 0; i < batch.size(); i++) {
            Item item = batch.get(i);
            switch (receptions.get(i)) {
                case Reception.Done(boolean first) -> {
                    finish(item);
                    handled += first ? 1 : 0;
                    duplicates += first ? 0 : 1;
                }
                case Reception.Failed(Throwable failure) -> {
                    item.failures++;
                    item.notBefore = now + retries.pauseAfter(item.failures).toNanos();
                    listener.on(
                            new ConsumerEvent.Failed(item.message().id(), partition.topic(), item.failures, failure));
                    if (item.failures >= retries.attempts()) item.condemn(failure.toString(), now);
                }
                case Reception.Rejected(String reason) -> item.condemn(reason, now);
                case Reception.Behind it -> {}
                case Reception.Away(String reason) -> away = reason;
            }
        }
        if (handled + duplicates > 0) listener.on(new ConsumerEvent.Handled(handled, duplicates));
        if (away == null) timesAway = 0;
        else {
            listener.on(new ConsumerEvent.DatabaseAway(away));
            failed(now);
        }
    }

    /** It is passed only when the topic of dead letters has it. */
    void sendLetters(@Nullable DeadLetterTopic letters, long now, ConsumerEvent.Listener listener) {
        for (Item item : items) {
            ConsumerRecord<byte[], byte[]> record = item.record;
            String error = item.error;
            if (record == null || error == null) continue;
            String id = item.message().id();
            if (letters == null) throw new NoDeadLetterTopicException(partition, item.offset, id, error);
            if (item.letter == null) {
                if (now - item.notBefore >= 0) item.letter = letters.send(record, error);
            } else if (item.letter.isDone()) {
                String problem = DeadLetterTopic.problem(item.letter);
                item.letter = null;
                if (problem == null) {
                    finish(item);
                    listener.on(new ConsumerEvent.Parked(id, partition.topic(), error));
                } else {
                    item.notBefore = now + retries.pauseAfter(++item.failures).toNanos();
                    listener.on(new ConsumerEvent.BrokerAway(
                            "the topic of dead letters has not taken message " + id + ": " + problem));
                }
            }
        }
    }

    /** What it was is not needed any more; that it is done is, until all before it is. */
    private void finish(Item item) {
        item.record = null;
        item.message = null;
        bytes -= item.size;
    }

    /** All below is done, and Kafka does not know; -1 when it does. */
    long uncommitted() {
        for (Item first = items.peek(); first != null && first.isDone(); first = items.peek()) {
            done = first.offset + 1;
            items.remove();
        }
        return done > committed ? done : -1;
    }

    boolean isCommitting() {
        return committing;
    }

    void committing() {
        committing = true;
    }

    /** @param offset what is committed now; -1 when that failed */
    void committed(long offset) {
        committing = false;
        committed = Math.max(committed, offset);
    }
}
