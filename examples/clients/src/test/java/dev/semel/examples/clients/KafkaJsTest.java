package dev.semel.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.kafka.KafkaBroker;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.message.Message;
import dev.semel.testkit.kafka.KafkaServer;
import dev.semel.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A consumer in Node, by somebody else, reads what a relay wrote. */
@Timeout(120)
class KafkaJsTest {
    private static final Path ROOT = Path.of(System.getProperty("semel.root", "../.."));
    private static final Path PACKAGES = Path.of("target", "messaging-clients").toAbsolutePath();
    private static final Path CONSUME =
            Path.of("src", "test", "node", "consume.mjs").toAbsolutePath();
    private static final byte[] BINARY = {0, -1, 127, -128, 10};

    @Test
    @SuppressWarnings("try") // a relay that runs is all that is asked of it
    void kafkajs_reads_id_headers_key_and_payload(@TempDir Path folder) throws Exception {
        try (KafkaServer kafka = KafkaServer.launch(folder.resolve("kafka"));
                PostgresServer postgres = PostgresServer.startFromClassPath(folder.resolve("postgres"), "fsync=off");
                HikariDataSource database = database(postgres)) {
            Command.run(ROOT, "bash", "scripts/messaging-clients.sh", PACKAGES.toString())
                    .succeeded();
            Outbox outbox = Outbox.open(database);
            List<UUID> ids = appended(outbox, database);
            kafka.awaitConnections();
            create("orders", kafka);
            sendAndTakeBack("orders", kafka);
            String said;
            try (Relay relay = Relay.from(outbox)
                    .to(KafkaBroker.open(kafka.url(), "/shop"))
                    .start()) {
                said = Command.run(PACKAGES, "node", CONSUME.toString(), kafka.bootstrap(), "orders", "3")
                        .succeeded();
            }
            Map<String, JsonNode> read = new HashMap<>();
            List<String> order = new ArrayList<>();
            for (String line : said.strip().split("\n")) {
                JsonNode message = new ObjectMapper().readTree(line);
                String id = message.at("/headers/ce_id").asText();
                read.put(id, message);
                order.add(id);
            }
            assertEquals(3, read.size(), said);
            assertTrue(
                    order.indexOf(ids.get(0).toString())
                            < order.indexOf(ids.get(2).toString()),
                    said);

            JsonNode first = read.get(ids.get(0).toString());
            assertEquals("bestellung-ü", first.path("key").asText());
            assertEquals("bestellung-ü", first.at("/headers/ce_subject").asText());
            assertEquals("order.paid", first.at("/headers/ce_type").asText());
            assertEquals("/shop", first.at("/headers/ce_source").asText());
            assertEquals("1.0", first.at("/headers/ce_specversion").asText());
            assertEquals(
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    first.at("/headers/traceparent").asText());
            assertTrue(Instant.parse(first.at("/headers/ce_time").asText()).isBefore(Instant.now()));
            assertEquals("{\"cents\": 5}", new String(payload(first), UTF_8));

            JsonNode second = read.get(ids.get(1).toString());
            assertTrue(second.path("key").isNull(), second.toString());
            assertFalse(second.path("headers").has("ce_subject"));
            assertEquals(0, payload(second).length);
            assertArrayEquals(BINARY, payload(read.get(ids.get(2).toString())));
        }
    }

    private static HikariDataSource database(PostgresServer server) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(server.jdbcUrl());
        config.setMaximumPoolSize(6);
        return new HikariDataSource(config);
    }

    private static List<UUID> appended(Outbox outbox, HikariDataSource database) throws Exception {
        Message first = Message.of("orders", "order.paid", "{\"cents\": 5}".getBytes(UTF_8))
                .withKey("bestellung-ü")
                .withHeader("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        Message second = Message.of("orders", "order.counted", new byte[0]);
        Message third = Message.of("orders", "order.shipped", BINARY).withKey("bestellung-ü");
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            List<UUID> ids = outbox.append(connection, List.of(first, second, third));
            connection.commit();
            return ids;
        }
    }

    private static void create(String topic, KafkaServer kafka) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
    }

    /** What a reader of committed messages must not see. */
    private static void sendAndTakeBack(String topic, KafkaServer kafka) throws Exception {
        Map<String, Object> settings = Map.of("bootstrap.servers", kafka.bootstrap(), "transactional.id", "other");
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(new ProducerRecord<>(topic, "taken back".getBytes(UTF_8)))
                    .get();
            producer.abortTransaction();
        }
    }

    private static byte[] payload(JsonNode message) {
        return Base64.getDecoder().decode(message.path("payload").asText());
    }
}
