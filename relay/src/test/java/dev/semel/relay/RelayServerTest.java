package dev.semel.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.relay.RelaySettings;
import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.testkit.postgres.PostgresServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Outbox;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** From one SQL call to a record in Kafka, by the relay as it runs as a process. */
@Timeout(180)
class RelayServerTest {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @Test
    void what_is_appended_by_sql_arrives_in_kafka_and_shows_in_the_metrics(@TempDir Path folder) throws Exception {
        try (KafkaServer kafka = KafkaServer.launch(folder.resolve("kafka"));
                PostgresServer postgres = PostgresServer.startFromClassPath(folder.resolve("postgres"))) {
            kafka.awaitConnections();
            makeTopic(kafka);
            try (RelayServer relay = RelayServer.start(options(postgres.jdbcUrl(), kafka.url()))) {
                String id = append(postgres, "order-1", "first");
                append(postgres, "order-1", "second");
                List<ConsumerRecord<byte[], byte[]>> records = read(kafka, 2);
                assertEquals("first", new String(records.get(0).value(), UTF_8));
                assertEquals("second", new String(records.get(1).value(), UTF_8));
                assertEquals("order-1", new String(records.get(0).key(), UTF_8));
                assertEquals(id, header(records.get(0), "ce_id"));
                assertEquals("shop", header(records.get(0), "ce_source"));
                assertEquals("ok\n", get(relay, "/healthz", 200));
                assertEquals("ok\n", get(relay, "/readyz", 200));
                String metrics = get(relay, "/metrics", 200);
                while (!metrics.contains("semel_relay_sent_total 2.0")) metrics = get(relay, "/metrics", 200);
                assertTrue(metrics.contains("semel_relay_shards 16.0"), metrics);
                assertTrue(metrics.contains("semel_outbox_waiting"), metrics);

                postgres.kill9();
                while (status(relay, "/readyz") != 503) Thread.onSpinWait();
                assertEquals("ok\n", get(relay, "/healthz", 200));
                postgres.restart();
                append(postgres, "order-1", "third");
                assertEquals("third", new String(read(kafka, 3).get(2).value(), UTF_8));
            }
        }
    }

    @Test
    @SuppressWarnings("try") // that it listens is all that is asked of it
    void a_relay_that_listens_is_woken_by_what_is_committed_elsewhere(@TempDir Path folder) throws Exception {
        try (PostgresServer postgres = PostgresServer.startFromClassPath(folder);
                HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(postgres.jdbcUrl());
            Outbox outbox = Outbox.open(database).withNotify();
            CountDownLatch woken = new CountDownLatch(1);
            try (OutboxNews news = OutboxNews.start(postgres.jdbcUrl(), woken::countDown)) {
                // Again and again, until the other has begun to listen.
                do outbox.committed();
                while (!woken.await(10, TimeUnit.MILLISECONDS));
            }
        }
    }

    @Test
    void what_cannot_work_is_said_at_start() {
        IllegalArgumentException broker = assertThrows(
                IllegalArgumentException.class,
                () -> RelayServer.start(options("jdbc:postgresql://h/d", "amqp://u:p@h")));
        assertTrue(String.valueOf(broker.getMessage()).contains("Known is kafka://"), broker.getMessage());
        assertTrue(!String.valueOf(broker.getMessage()).contains("u:p"), broker.getMessage());
        assertThrows(
                SQLException.class, () -> RelayServer.start(options("jdbc:postgresql://127.0.0.1:1/d", "kafka://h:1")));
    }

    private static RelayServer.Options options(String store, String broker) {
        return new RelayServer.Options(
                store,
                broker,
                "shop",
                "relay",
                new InetSocketAddress("127.0.0.1", 0),
                RelaySettings.DEFAULT.withLease(Duration.ofMinutes(3)));
    }

    private static void makeTopic(KafkaServer kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic("orders", 1, (short) 1)))
                    .all()
                    .get();
        }
    }

    private static String append(PostgresServer postgres, String key, String payload) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.jdbcUrl());
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select semel.append(topic => 'orders', key => '" + key
                        + "', type => 'order.paid', payload => convert_to('" + payload + "', 'UTF8'))")) {
            row.next();
            return row.getString(1);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(KafkaServer kafka, int count) {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", kafka.bootstrap(), "isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = List.of(new TopicPartition("orders", 0));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            List<ConsumerRecord<byte[], byte[]>> records = new java.util.ArrayList<>();
            while (records.size() < count) consumer.poll(Duration.ofMillis(50)).forEach(records::add);
            return records;
        }
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    private static String get(RelayServer relay, String path, int status) throws Exception {
        HttpResponse<String> response = ask(relay, path);
        assertEquals(status, response.statusCode());
        return response.body();
    }

    private static int status(RelayServer relay, String path) throws Exception {
        return ask(relay, path).statusCode();
    }

    private static HttpResponse<String> ask(RelayServer relay, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + relay.adminPort() + path);
        return CLIENT.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
