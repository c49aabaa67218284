package dev.semel.broker.sqs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.messaging.ArrivedMessage;
import dev.semel.testkit.messaging.BrokerContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

@ExtendWith(SharedSqs.class)
@Timeout(60)
class SqsBrokerTest extends BrokerContract {
    private static final AtomicInteger SHARDS = new AtomicInteger();
    private static final String QUICK = "&call-timeout=2s";

    private final Broker broker = SqsBroker.open(SharedSqs.url() + QUICK, SOURCE);

    @AfterEach
    void close() {
        broker.close();
    }

    @Override
    protected Broker broker() {
        return broker;
    }

    @Override
    protected int newShard() {
        return SHARDS.getAndIncrement();
    }

    @Override
    protected String newName() {
        return "t-" + UUID.randomUUID() + ".fifo";
    }

    @Override
    protected void create(String topic) {
        SharedSqs.create(topic, Map.of());
    }

    @Override
    protected void createSmall(String topic) {
        SharedSqs.create(topic, Map.of());
    }

    /** ElasticMQ takes what SQS takes at most, whatever is said of a queue. */
    @Override
    protected int tooLarge() {
        return 1_100_000;
    }

    @Override
    protected List<ArrivedMessage> arrived(String topic, int atLeast) {
        return SharedSqs.arrived(topic, atLeast);
    }

    @Override
    protected void pause() {
        SharedSqs.server().pause();
    }

    @Override
    protected void resume() {
        SharedSqs.server().resume();
    }

    @Override
    protected boolean fences() {
        return false;
    }

    @Test
    void what_was_sent_before_arrives_once_in_a_fifo_queue() throws Exception {
        String topic = newTopic();
        List<OutgoingMessage> messages = List.of(message(topic, "k", 1), message(topic, null, 2));
        try (Publisher publisher = broker.open(newLease())) {
            assertAllSent(publisher.publish(messages));
            assertAllSent(publisher.publish(messages));
        }
        assertEquals(2, arrived(topic, 2).size());
    }

    @Test
    void a_standard_queue_takes_many_at_once() throws Exception {
        String topic = "t-" + UUID.randomUUID();
        create(topic);
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 105; i++) messages.add(message(topic, null, new byte[i * 50], Map.of()));
        try (Broker patient = SqsBroker.open(SharedSqs.url() + "&batch-bytes=10000", SOURCE);
                Publisher publisher = patient.open(newLease())) {
            // A machine that is busy may take its time; whatever is not known is sent again, as a relay does.
            for (List<OutgoingMessage> left = messages; !left.isEmpty(); left = unknown(publisher, left)) {}
        }
        assertEquals(
                messages.stream().map(it -> it.id().toString()).sorted().toList(),
                arrived(topic, 105).stream()
                        .map(ArrivedMessage::id)
                        .distinct()
                        .sorted()
                        .toList());
    }

    private static List<OutgoingMessage> unknown(Publisher publisher, List<OutgoingMessage> messages)
            throws InterruptedException {
        List<Delivery> deliveries = publisher.publish(messages);
        List<OutgoingMessage> left = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++)
            switch (deliveries.get(i)) {
                case Delivery.Sent it -> {}
                case Delivery.Retry it -> left.add(messages.get(i));
                case Delivery.Dead it -> throw new AssertionError(it);
            }
        return left;
    }

    @Test
    void a_message_that_makes_sqs_refuse_its_batch_does_not_keep_the_others_back() throws Exception {
        String topic = newTopic();
        List<OutgoingMessage> messages = new ArrayList<>();
        for (int i = 0; i < 5; i++) messages.add(message(topic, "k" + i, i));
        OutgoingMessage bad = message(topic, "k\ufffe", 5);
        messages.add(2, bad);
        try (Publisher publisher = broker.open(newLease())) {
            List<Delivery> deliveries = new ArrayList<>(publisher.publish(messages));
            Delivery.Dead dead = assertInstanceOf(Delivery.Dead.class, deliveries.remove(2));
            assertEquals("invalid", dead.kind());
            assertAllSent(deliveries);
        }
        assertEquals(5, arrived(topic, 5).size());
    }

    @Test
    void a_topic_that_is_no_name_of_a_queue_is_a_dead_letter() throws Exception {
        try (Publisher publisher = broker.open(newLease())) {
            for (String topic : List.of("orders/paid", "orders.paid", "x".repeat(81), ".fifo", "a.fifo.fifo")) {
                Delivery.Dead dead = assertInstanceOf(
                        Delivery.Dead.class,
                        publisher.publish(List.of(message(topic, "k", 1))).getFirst());
                assertEquals("invalid-topic", dead.kind());
                assertTrue(dead.reason().contains(topic), dead.reason());
            }
        }
    }

    @Test
    void a_queue_that_was_deleted_is_told_and_taken_when_it_is_there_again() throws Exception {
        String topic = newTopic();
        try (Publisher publisher = broker.open(newLease())) {
            assertAllSent(publisher.publish(List.of(message(topic, "k", 1))));
            SharedSqs.client().deleteQueue(it -> it.queueUrl(SharedSqs.queueUrl(topic)));
            Delivery.Retry gone = assertInstanceOf(
                    Delivery.Retry.class,
                    publisher.publish(List.of(message(topic, "k", 2))).getFirst());
            assertEquals(Delivery.Cause.MESSAGE, gone.cause());
            assertTrue(gone.reason().contains(topic), gone.reason());
            create(topic);
            assertAllSent(publisher.publish(List.of(message(topic, "k", 2))));
        }
    }

    @Test
    void an_sqs_that_is_not_there_is_away() throws Exception {
        try (Broker away = SqsBroker.open("sqs://eu-central-1?endpoint=http://127.0.0.1:1" + QUICK, SOURCE)) {
            BrokerException e = assertThrows(BrokerException.class, () -> away.open(newLease()));
            assertTrue(String.valueOf(e.getMessage()).contains("127.0.0.1:1"), e.getMessage());
        }
    }

    @Test
    void every_payload_comes_back_as_it_was() {
        for (byte[] payload : List.of(
                new byte[0],
                "-".getBytes(UTF_8),
                " a\tb\n {\"ü\": \"😀\"} ".getBytes(UTF_8),
                "a\r\nb".getBytes(UTF_8),
                "a\0b".getBytes(UTF_8),
                "\ufffe".getBytes(UTF_8),
                new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
                new byte[] {-1, -2, 0})) {
            BodyText body = BodyText.of(payload);
            assertTrue(!body.text().isEmpty());
            assertArrayEquals(payload, body.payload());
        }
        assertNull(BodyText.of("{\"ü\": \"😀\"}".getBytes(UTF_8)).encoding());
        assertEquals("base64", BodyText.of("a\r\nb".getBytes(UTF_8)).encoding());
        assertThrows(IllegalArgumentException.class, () -> new BodyText("x", "rot13").payload());
    }

    @Test
    void keys_have_groups_of_their_own() {
        Map<String, String> groups = new HashMap<>();
        for (String key : List.of("a", "a b", "ab", "ü", "k".repeat(128), "k".repeat(129), "k".repeat(130))) {
            String group = MessageGroup.of(message("t.fifo", key, 1));
            assertTrue(group.matches("[!-~]{1,128}"), group);
            assertNull(groups.put(group, key), key);
        }
        String hashed = MessageGroup.of(message("t.fifo", "a b", 1));
        assertNotEquals(hashed, MessageGroup.of(message("t.fifo", hashed, 1)));
        OutgoingMessage none = message("t.fifo", null, 1);
        assertEquals(none.id().toString(), MessageGroup.of(none));
    }

    /** ElasticMQ has few ways to refuse anything; these are SQS' own. */
    @Test
    void refusals_of_sqs_mean_what_they_should() {
        assertEquals(
                "too-large", dead(entry(true, "InvalidParameterValue", "Message must be shorter than 1024 bytes.")));
        assertEquals("invalid", dead(entry(true, "InvalidMessageContents", "Invalid characters")));
        assertEquals(Delivery.Cause.MESSAGE, cause(entry(true, "InvalidParameterValue", "MessageGroupId")));
        assertEquals(Delivery.Cause.BROKER, cause(entry(false, "InternalError", "")));
        assertEquals(Delivery.Cause.BROKER, cause(entry(true, "RequestThrottled", "")));
        assertEquals("too-large", dead(failure(400, "AWS.SimpleQueueService.BatchRequestTooLong")));
        assertEquals(Delivery.Cause.MESSAGE, cause(failure(400, "AWS.SimpleQueueService.NonExistentQueue")));
        assertEquals(Delivery.Cause.MESSAGE, cause(failure(403, "AccessDenied")));
        assertEquals(Delivery.Cause.BROKER, cause(failure(403, "InvalidClientTokenId")));
        assertEquals(Delivery.Cause.BROKER, cause(failure(400, "ExpiredToken")));
        assertEquals(Delivery.Cause.BROKER, cause(failure(400, "ThrottlingException")));
        assertEquals(Delivery.Cause.BROKER, cause(failure(503, "ServiceUnavailable")));
        assertEquals(
                Delivery.Cause.BROKER,
                cause(SqsFailures.delivery("q", SdkClientException.create("Unable to execute HTTP request"))));
    }

    private static Delivery entry(boolean sender, String code, String message) {
        return SqsFailures.delivery(
                "q",
                BatchResultErrorEntry.builder()
                        .id("0")
                        .senderFault(sender)
                        .code(code)
                        .message(message)
                        .build());
    }

    private static Delivery failure(int status, String code) {
        return SqsFailures.delivery("q", (SqsException) SqsException.builder()
                .statusCode(status)
                .awsErrorDetails(AwsErrorDetails.builder()
                        .errorCode(code)
                        .errorMessage("why")
                        .build())
                .build());
    }

    private static String dead(Delivery delivery) {
        return assertInstanceOf(Delivery.Dead.class, delivery).kind();
    }

    private static Delivery.Cause cause(Delivery delivery) {
        return assertInstanceOf(Delivery.Retry.class, delivery).cause();
    }

    @Test
    void wrong_urls_are_refused_before_anything_is_connected() {
        assertRefused("sqs:eu-central-1", "not of that form");
        assertRefused("sqs://EU", "region");
        assertRefused("sqs://s3cret:s3cret@eu-central-1", "Credentials");
        assertRefused("sqs://eu-central-1?secretKey=s3cret", "Credentials");
        assertRefused("sqs://eu-central-1?endpoint=http://a:s3cret@b", "Credentials");
        assertRefused("sqs://eu-central-1?endpoint=localhost", "endpoint");
        assertRefused("sqs://eu-central-1?account=1", "12 digits");
        assertRefused("sqs://eu-central-1?call-timeout=soon", "call-timeout");
        assertRefused("sqs://eu-central-1?batch-bytes=1", "batch-bytes");
        assertRefused("sqs://eu-central-1?connections=0", "connections");
        assertRefused("sqs://eu-central-1?s3cret", "");
        assertThrows(IllegalArgumentException.class, () -> SqsBroker.open("sqs://eu-central-1", ""));
        SqsSettings all = SqsUrl.parse("sqs://eu-central-1?account=123456789012&endpoint=https%3A%2F%2Fx%3A1");
        assertEquals("SQS in eu-central-1 at x:1", all.toString());
        assertEquals("123456789012", all.account());
    }

    private static void assertRefused(String url, String named) {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> SqsBroker.open(url, "/orders"), url)
                        .getMessage());
        assertTrue(message.contains(named), message);
        assertTrue(!message.contains("s3cret"), message);
    }
}
