package dev.semel.examples.shop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Request, key, row, message, invoice: one of each for every order, with one id, while all that they pass is killed. */
class EverythingKilledTest {
    private static final int SECONDS = Integer.getInteger("semel.shop.seconds", 15);
    private static final long SEED =
            Long.getLong("semel.seed", ThreadLocalRandom.current().nextLong());
    private static final int CUSTOMERS = 6;
    private static final int ANSWERS_BETWEEN_KILLS = 40;
    private static final Duration DRAIN = Duration.ofSeconds(120);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Set<String>> messagesTold = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger retries = new AtomicInteger();
    private final Semaphore answered = new Semaphore(0);
    private volatile boolean open = true;

    @Test
    void every_acknowledged_order_has_one_effect_at_every_stage_and_one_id(@TempDir Path folder) throws Exception {
        System.out.println("EverythingKilledTest: semel.seed=" + SEED);
        try (Stages stages = new Stages(folder);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> customers = new ArrayList<>();
            for (int i = 0; i < CUSTOMERS; i++)
                customers.add(threads.submit(() -> {
                    while (open) order(stages, "o-" + next.incrementAndGet());
                    return null;
                }));
            Map<String, Integer> kills = kill(stages);
            open = false;
            try {
                for (Future<?> each : customers) each.get(DRAIN.toSeconds(), TimeUnit.SECONDS);
                awaitInvoices(stages);
            } catch (Exception e) {
                throw new AssertionError("seed " + SEED + ", killed " + kills + "\n" + stages.logs(), e);
            }
            System.out.println("EverythingKilledTest: " + messagesTold.size() + " orders, sent " + retries
                    + " times again; killed " + kills);
            check(stages);
        }
    }

    /** Everything once at least, in some order; then on until the time is over. */
    private Map<String, Integer> kill(Stages stages) throws InterruptedException {
        Random random = new Random(SEED);
        Map<String, Integer> kills = new TreeMap<>();
        long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        do {
            List<Stages.Stage> shuffled = new ArrayList<>(stages.all());
            Collections.shuffle(shuffled, random);
            for (Stages.Stage each : shuffled) {
                if (kills.size() == shuffled.size() && System.nanoTime() - end > 0) return kills;
                answered.drainPermits();
                assertTrue(answered.tryAcquire(ANSWERS_BETWEEN_KILLS, 90, TimeUnit.SECONDS), stages::logs);
                each.killAndRestart().run();
                kills.merge(each.name(), 1, Integer::sum);
            }
        } while (System.nanoTime() - end < 0);
        return kills;
    }

    /** As a customer does: until there is an answer. */
    private void order(Stages stages, String order) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(stages.orders())
                .timeout(Duration.ofSeconds(10))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "\"key-of-" + order + "\"")
                .POST(HttpRequest.BodyPublishers.ofString("{\"order\": \"" + order + "\", \"cents\": 1999}"))
                .build();
        boolean repeated = false;
        while (true) {
            try {
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() == 200) {
                    String message = new ObjectMapper()
                            .readTree(response.body())
                            .path("message")
                            .asText();
                    messagesTold
                            .computeIfAbsent(order, none -> ConcurrentHashMap.newKeySet())
                            .add(message);
                    answered.release();
                    // Some customers ask again although there was an answer.
                    if (repeated || order.hashCode() % 10 != 0) return;
                    repeated = true;
                } else assertTrue(response.statusCode() >= 409, response.statusCode() + " " + response.body());
            } catch (IOException killed) {
                // Again.
            }
            retries.incrementAndGet();
            LockSupport.parkNanos(20_000_000);
        }
    }

    private void awaitInvoices(Stages stages) throws Exception {
        long end = System.nanoTime() + DRAIN.toNanos();
        while (true) {
            long invoices =
                    query(stages.billingDatabase(), "select count(distinct order_id)::text from invoice").stream()
                            .mapToLong(Long::parseLong)
                            .sum();
            if (invoices >= messagesTold.size()
                    && query(stages.shopDatabase(), "select 'waits' from semel.outbox")
                            .isEmpty()) return;
            if (System.nanoTime() - end > 0)
                throw new AssertionError("only " + invoices + " of " + messagesTold.size() + " orders have invoices");
            LockSupport.parkNanos(50_000_000);
        }
    }

    private void check(Stages stages) throws Exception {
        Set<String> told = new TreeSet<>();
        messagesTold.forEach((order, ids) -> {
            assertEquals(1, ids.size(), order + " was told " + ids);
            told.add(order + " " + ids.iterator().next());
        });
        assertTrue(told.size() > ANSWERS_BETWEEN_KILLS * 5, "only " + told.size());
        List<String> orders = query(stages.shopDatabase(), "select order_id from shop_order");
        assertEquals(orders.size(), messagesTold.size(), "rows of orders");
        assertEquals(messagesTold.keySet(), Set.copyOf(orders));
        assertEquals(told, new TreeSet<>(inKafka(stages)), "messages in Kafka, by order and id");
        List<String> invoices = query(stages.billingDatabase(), "select order_id || ' ' || message_id from invoice");
        assertEquals(told.size(), invoices.size(), "invoices");
        assertEquals(told, new TreeSet<>(invoices));
        assertEquals(List.of(), query(stages.shopDatabase(), "select message_id::text from semel.dead_letter"));
    }

    /** Each record as the order and the id of its message. There may be two of a message, but none with another id. */
    private static List<String> inKafka(Stages stages) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", stages.kafka.bootstrap(), "isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor("orders").stream()
                    .map(it -> new TopicPartition("orders", it.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<String> read = new ArrayList<>();
            while (partitions.stream().anyMatch(it -> consumer.position(it) < ends.get(it)))
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofMillis(100)))
                    read.add(new String(each.key(), UTF_8) + " "
                            + new String(each.headers().lastHeader("ce_id").value(), UTF_8));
            System.out.println("EverythingKilledTest: " + read.size() + " records in Kafka");
            return read;
        }
    }

    private static List<String> query(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> all = new ArrayList<>();
            while (row.next()) all.add(row.getString(1));
            return all;
        }
    }
}
