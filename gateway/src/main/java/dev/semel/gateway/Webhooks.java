package dev.semel.gateway;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.StoreUrl;
import dev.semel.gateway.config.UpstreamSettings;
import dev.semel.gateway.config.WebhookSettings;
import dev.semel.gateway.metrics.GatewayMetrics;
import dev.semel.http.HttpRequest;
import dev.semel.http.LenientPath;
import dev.semel.http.RoutePattern;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.InboxWindow;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.messaging.tables.PostgresOutboxTables;
import dev.semel.messaging.tables.PostgresSchema;
import io.vertx.core.Vertx;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of a gateway: where they come in, the outbox that they are stored in, and the relay that delivers them to the
 * upstream. The outbox has a schema of its own, because a relay sends whatever it finds: in one that is shared with an application,
 * the application's messages would be posted to the upstream, and its relay would take the webhooks.
 */
public final class Webhooks {
    /** Where webhooks wait; for those who look at their dead letters. */
    public static final PostgresSchema SCHEMA = new PostgresSchema("semel_webhooks");

    private static final int CONNECTIONS = 16;

    /** Few at once: each may have a megabyte. */
    private static final int BATCH = 10;

    private static final int ATTEMPTS = 50;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Vertx vertx;
    private final GatewayConfig config;
    private final BodyBudget bodies;
    private final GatewayMetrics metrics;
    private final List<RoutePattern> deliveries;
    private final Map<String, String> deliverTo = new HashMap<>();
    private volatile Map<String, WebhookRoute> routes = Map.of();
    private @Nullable HikariDataSource database;
    private @Nullable UpstreamBroker broker;
    private @Nullable Relay relay;
    private @Nullable WebhookWatch watch;

    /** Does nothing yet. */
    Webhooks(Vertx vertx, GatewayConfig config, BodyBudget bodies, GatewayMetrics metrics) {
        this.vertx = vertx;
        this.config = config;
        this.bodies = bodies;
        this.metrics = metrics;
        this.deliveries = settings().stream()
                .map(webhook -> RoutePattern.parse("* " + webhook.deliverTo()))
                .toList();
        for (WebhookSettings webhook : settings()) deliverTo.put(WebhookMessages.topic(webhook), webhook.deliverTo());
    }

    private List<WebhookSettings> settings() {
        return config.webhooks().all();
    }

    /** @throws IllegalStateException when the database cannot be used */
    void open() {
        if (settings().isEmpty()) return;
        HikariDataSource pool = pool(config.store());
        database = pool;
        try {
            Outbox outbox = Outbox.open(pool, SCHEMA);
            Inbox inbox = Inbox.open(pool, new InboxWindow(longestRemembered()), SCHEMA);
            Map<String, WebhookRoute> opened = new HashMap<>();
            for (WebhookSettings webhook : settings())
                opened.put(
                        webhook.path(),
                        new WebhookRoute(webhook, inbox, outbox, metrics.route("POST " + webhook.path())));
            UpstreamBroker upstream = new UpstreamBroker(vertx, config.upstream(), bodies, this::request);
            broker = upstream;
            WebhookWatch observer = WebhookWatch.start(outbox, metrics.webhooks());
            watch = observer;
            relay = Relay.from(outbox)
                    .to(upstream)
                    .named("gateway")
                    .with(relaySettings(upstream))
                    .heardBy(observer)
                    .start();
            routes = Map.copyOf(opened);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "The webhooks cannot be kept in " + StoreUrl.withoutSecrets(config.store()) + ": " + e.getMessage(),
                    e);
        }
    }

    /** What opening the outbox of webhooks in this database would run to make its tables; empty where nothing is missing. */
    public static String missingTables(String url) throws SQLException {
        try (HikariDataSource pool = pool(url)) {
            return new PostgresOutboxTables(SCHEMA).missing(pool);
        }
    }

    private Duration longestRemembered() {
        return settings().stream()
                .map(WebhookSettings::remember)
                .max(Duration::compareTo)
                .orElseThrow();
    }

    /** A lease outlives whatever the upstream may take for one shipment. */
    private static RelaySettings relaySettings(UpstreamBroker broker) {
        Duration lease = broker.longestPublish().multipliedBy(5).dividedBy(4).plusSeconds(5);
        return RelaySettings.DEFAULT
                .withLease(lease)
                .withBatch(BATCH)
                .withAttempts(ATTEMPTS)
                .withPauses(FIRST_PAUSE, LONGEST_PAUSE);
    }

    private @Nullable HttpRequest request(OutgoingMessage message) {
        return WebhookMessages.request(message, deliverTo.get(message.topic()));
    }

    private static HikariDataSource pool(String url) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel-webhooks");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(2);
        config.setConnectionTimeout(Duration.ofSeconds(3).toMillis());
        config.setInitializationFailTimeout(-1);
        // As text: the driver leaves out what is not.
        config.addDataSourceProperty("connectTimeout", "3");
        config.addDataSourceProperty("socketTimeout", "10");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("ApplicationName", "semel-webhooks");
        return new HikariDataSource(config);
    }

    /** Where webhooks come in at exactly this path; null when none do. */
    @Nullable
    WebhookRoute routeAt(String path) {
        return routes.get(path);
    }

    /**
     * Whether the upstream could take this path for one to which webhooks are delivered. What comes there has been verified, so
     * nobody else may send to it.
     */
    boolean isDelivery(String path) {
        if (deliveries.isEmpty()) return false;
        for (RoutePattern delivery : deliveries) if (delivery.matches("POST", path)) return true;
        for (String[] reading : LenientPath.readings(path))
            for (RoutePattern delivery : deliveries) if (delivery.mayMatch("POST", reading)) return true;
        return false;
    }

    /** The upstream has other addresses now. */
    void deliverTo(UpstreamSettings upstream) {
        if (broker != null) broker.deliverTo(upstream);
    }

    /** What is being delivered is waited for, for a while; what is not is in the database. */
    void close(Duration grace) {
        if (relay != null) relay.close(grace);
        if (watch != null) watch.close();
        if (broker != null) broker.close();
        if (database != null) database.close();
    }
}
