package dev.semel.broker.webhook;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.webhook.delivery.SenderSettings;
import dev.semel.broker.webhook.delivery.WebhookDeliveries;
import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.MessageFilter;
import dev.semel.broker.webhook.endpoint.NewSecret;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import dev.semel.broker.webhook.http.AddressRange;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.message.CloudEvent;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.testkit.messaging.ArrivedMessage;
import dev.semel.testkit.messaging.BrokerContract;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The laws of brokers, with an endpoint that keeps the order for each topic. Its requests have no attributes of CloudEvents; what
 * the deliveries know of a message stands in for them. What this broker can be away with is the database.
 */
@ExtendWith(SharedPostgres.class)
@Timeout(60)
class WebhookBrokerTest extends BrokerContract {
    private static final int LARGEST = 1024 * 1024 - 10 * 1024;

    private static @Nullable HikariDataSource database;
    private static @Nullable WebhookBroker broker;
    private static @Nullable Receiver receiver;
    private static int shards;

    private @Nullable Connection lock;

    @BeforeAll
    static void start() throws Exception {
        database = SharedPostgres.pool(SharedPostgres.freshUrl());
        receiver = Receiver.start();
        WebhookSettings settings = WebhookSettings.standard()
                .with(SenderSettings.DEFAULT.allowingPlain(true).withIdle(Duration.ofMillis(20)))
                .allowing(List.of(AddressRange.parse("127.0.0.1")))
                .withLargest(LARGEST)
                .withPatience(Duration.ofMillis(500));
        broker = WebhookBroker.open(database, settings, WebhookEvent.Listener.NONE);
    }

    @AfterAll
    static void stop() {
        there(broker).close();
        there(receiver).close();
        there(database).close();
    }

    private static <T> T there(@Nullable T it) {
        if (it == null) throw new IllegalStateException("It is not started.");
        return it;
    }

    @Override
    protected Broker broker() {
        return there(broker);
    }

    @Override
    protected int newShard() {
        return shards++;
    }

    @Override
    protected String newName() {
        return "t-" + UUID.randomUUID();
    }

    @Override
    protected void create(String topic) throws Exception {
        WebhookEndpoints.in(there(database), SecretSeal.NONE)
                .add(
                        Endpoint.Plan.to(there(receiver).url("/" + topic))
                                .with(new MessageFilter(List.of(topic), List.of()))
                                .inOrder(true),
                        NewSecret.Kind.HMAC);
    }

    @Override
    protected void createSmall(String topic) throws Exception {
        create(topic);
    }

    @Override
    protected int largest() {
        return LARGEST;
    }

    @Override
    protected int tooLarge() {
        return LARGEST + 1;
    }

    @Override
    protected boolean knowsTopics() {
        return false;
    }

    @Override
    protected List<ArrivedMessage> arrived(String topic, int atLeast) throws Exception {
        WebhookDeliveries deliveries = WebhookDeliveries.in(there(database));
        List<ArrivedMessage> arrived = new ArrayList<>();
        for (Receiver.Request request : there(receiver).await("/" + topic, atLeast)) {
            OutgoingMessage message = deliveries.message(UUID.fromString(request.id()));
            if (message == null) throw new AssertionError("Nothing is known of message " + request.id());
            arrived.add(new ArrivedMessage(
                    message.key(), CloudEvent.attributes(message, SOURCE), message.headers(), request.body()));
        }
        return arrived;
    }

    @Override
    protected void pause() throws Exception {
        Connection locking = there(database).getConnection();
        lock = locking;
        locking.setAutoCommit(false);
        try (Statement statement = locking.createStatement()) {
            statement.execute("lock table semel.webhook_shard in access exclusive mode");
        }
    }

    @Override
    protected void resume() throws Exception {
        try (Connection locking = there(lock)) {
            locking.rollback();
            locking.setAutoCommit(true);
        }
    }

    @Test
    void a_url_that_is_wrong_is_told() {
        assertTrue(WebhookSettings.parse("webhook:?allow=10.0.0.0/8,fd00::/8&http=true&largest=5&keep-days=60")
                .sender()
                .plainAllowed());
        assertTrue(!WebhookSettings.parse("webhook:").sender().plainAllowed());
        assertTrue(told("webhook:?alow=10.0.0.0/8").contains("There is no setting 'alow'"));
        assertTrue(told("webhook:?allow=intranet").contains("10.0.0.0/8 or fd00::/8, not 'intranet'"));
        assertTrue(told("webhook:?allow=10.0.0.0/33").contains("10.0.0.0/33"));
        assertTrue(told("webhook:?http=yes").contains("true or false"));
        assertTrue(told("webhook://example.com/hook").contains("semel webhooks endpoints add"));
    }

    private static String told(String url) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> WebhookSettings.parse(url))
                .getMessage());
    }
}
