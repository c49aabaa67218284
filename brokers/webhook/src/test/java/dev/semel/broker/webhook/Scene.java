package dev.semel.broker.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.webhook.delivery.SenderSettings;
import dev.semel.broker.webhook.delivery.WebhookDeliveries;
import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.NewSecret;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import dev.semel.broker.webhook.http.AddressRange;
import dev.semel.broker.webhook.tables.Sql;
import dev.semel.broker.webhook.tables.WebhookSchema;
import dev.semel.core.time.HandTime;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.OutgoingMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database of its own, a receiver, and webhooks between them by a time that is moved by hand. */
final class Scene implements AutoCloseable {
    final String databaseUrl;
    final HikariDataSource database;
    final HandTime time = new HandTime();
    final Receiver receiver;
    final WebhookEndpoints endpoints;
    final WebhookDeliveries deliveries;
    final List<WebhookEvent> events = new CopyOnWriteArrayList<>();
    final WebhookSettings settings;
    final WebhookBroker broker;
    private final List<WebhookBroker> others = new ArrayList<>();
    private final Publisher publisher;

    Scene() throws Exception {
        this(SecretSeal.NONE);
    }

    Scene(SecretSeal seal) throws Exception {
        databaseUrl = SharedPostgres.freshUrl();
        database = SharedPostgres.pool(databaseUrl);
        WebhookSchema.migrate(database);
        receiver = Receiver.start();
        settings = WebhookSettings.standard()
                .with(SenderSettings.DEFAULT.allowingPlain(true).withIdle(Duration.ofMillis(10)))
                .allowing(List.of(AddressRange.parse("127.0.0.0/8")))
                .with(seal)
                .at(connection -> time.instant());
        endpoints = WebhookEndpoints.in(database, seal, settings.time());
        deliveries = WebhookDeliveries.in(database, settings.time());
        broker = WebhookBroker.open(database, settings, events::add);
        publisher = broker.open(new ShardLease(0, 1));
    }

    /** Another process that sends from the same tables. */
    WebhookBroker another(WebhookSettings settings) throws SQLException {
        WebhookBroker another = WebhookBroker.open(database, settings, events::add);
        others.add(another);
        return another;
    }

    WebhookEndpoints.Added add(Endpoint.Plan plan) throws SQLException {
        return endpoints.add(plan, NewSecret.Kind.HMAC);
    }

    UUID add(String path) throws SQLException {
        return add(Endpoint.Plan.to(receiver.url(path))).id();
    }

    UUID addInOrder(String path) throws SQLException {
        return add(Endpoint.Plan.to(receiver.url(path)).inOrder(true)).id();
    }

    static OutgoingMessage message(@Nullable String key, String body) {
        return message("orders", key, body, Map.of());
    }

    static OutgoingMessage message(String topic, @Nullable String key, String body, Map<String, String> headers) {
        return new OutgoingMessage(
                UUID.randomUUID(),
                topic,
                key,
                "order.paid",
                headers,
                body.getBytes(UTF_8),
                Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** @return their ids */
    List<UUID> publish(OutgoingMessage... messages) throws InterruptedException {
        for (Delivery delivery : publisher.publish(List.of(messages)))
            if (!(delivery instanceof Delivery.Sent)) throw new AssertionError(delivery);
        return Stream.of(messages).map(OutgoingMessage::id).toList();
    }

    /** Publishes messages with these bodies and no key. */
    List<UUID> publish(String... bodies) throws InterruptedException {
        return publish(Stream.of(bodies).map(it -> message(null, it)).toArray(OutgoingMessage[]::new));
    }

    static void until(Callable<Boolean> met) throws Exception {
        while (!met.call()) pause();
    }

    /** Ends a test that waits in vain when its time is over. */
    static void pause() throws InterruptedException {
        LockSupport.parkNanos(1_000_000);
        if (Thread.interrupted()) throw new InterruptedException("The test took too long.");
    }

    <T extends WebhookEvent> List<T> events(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    <T extends WebhookEvent> T awaitEvent(Class<T> type, int count) throws Exception {
        until(() -> events(type).size() >= count);
        return events(type).get(count - 1);
    }

    WebhookDeliveries.Line line(UUID message, UUID endpoint) throws SQLException {
        return deliveries.of(message).stream()
                .filter(it -> it.endpoint().equals(endpoint))
                .findFirst()
                .orElseThrow();
    }

    boolean is(UUID message, UUID endpoint, WebhookDeliveries.State state) throws SQLException {
        return line(message, endpoint).state() == state;
    }

    /** Moves time to when this delivery is due, and waits for the attempt. @return how long that was */
    Duration nextAttempt(UUID message, UUID endpoint) throws Exception {
        WebhookDeliveries.Line before = line(message, endpoint);
        Duration pause = Duration.between(time.instant(), before.dueAt());
        time.advance(pause.isNegative() ? Duration.ZERO : pause);
        until(() -> line(message, endpoint).attempts() > before.attempts());
        return pause;
    }

    int count(String sql, Object... parameters) throws SQLException {
        try (Connection connection = database.getConnection()) {
            Integer count = Sql.of(connection, sql, parameters).first(row -> row.getInt(1));
            return count == null ? -1 : count;
        }
    }

    void execute(String sql, Object... parameters) throws SQLException {
        try (Connection connection = database.getConnection()) {
            Sql.of(connection, sql, parameters).update();
        }
    }

    @Override
    public void close() {
        broker.close();
        for (WebhookBroker other : others) other.close();
        receiver.close();
        database.close();
    }
}
