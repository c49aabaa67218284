package dev.semel.relay;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.broker.webhook.WebhookBroker;
import dev.semel.broker.webhook.delivery.WebhookDeliveries;
import dev.semel.broker.webhook.endpoint.SecretSeal;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.relay.metrics.RelayMetrics;
import dev.semel.relay.metrics.WebhookMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A relay with all around it: the outbox in its database, the broker, and a listener for those who run it. */
public final class RelayServer implements AutoCloseable {
    private static final int CONNECTIONS = 10;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

    private final HikariDataSource database;
    private final Broker broker;
    private final Relay relay;
    private final OutboxWatch watch;
    private final RelayAdmin admin;
    private final @Nullable OutboxNews news;

    private RelayServer(
            HikariDataSource database,
            Broker broker,
            Relay relay,
            OutboxWatch watch,
            RelayAdmin admin,
            @Nullable OutboxNews news) {
        this.database = database;
        this.broker = broker;
        this.relay = relay;
        this.watch = watch;
        this.admin = admin;
        this.news = news;
    }

    /**
     * What a relay is told.
     *
     * @param store where the outbox is, {@code jdbc:postgresql://…} or {@code jdbc:mariadb://…}
     * @param broker where to send to, {@code kafka://…} or {@code webhook:}
     * @param source which application the messages come from, as a URI reference
     * @param name what it is called in the list of relays
     * @param admin where it says how it is doing; port 0 for any
     * @param listens whether it is woken by announcements of PostgreSQL, on a connection of its own, without a pooler between
     */
    public record Options(
            String store,
            String broker,
            String source,
            String name,
            InetSocketAddress admin,
            RelaySettings settings,
            boolean listens) {
        public Options(
                String store,
                String broker,
                String source,
                String name,
                InetSocketAddress admin,
                RelaySettings settings) {
            this(store, broker, source, name, admin, settings, false);
        }

        public Options {
            if (listens && !store.startsWith("jdbc:postgresql:"))
                throw new IllegalArgumentException("Only PostgreSQL announces what was appended; leave --listen out.");
        }
    }

    /**
     * @throws SQLException when the database cannot be reached
     * @throws IllegalArgumentException when a URL is wrong
     * @throws IllegalStateException when the settings cannot work together
     */
    public static RelayServer start(Options options) throws SQLException, IOException {
        return start(options, SecretSeal.NONE);
    }

    /** @param seal what the secrets of webhooks are encrypted with */
    public static RelayServer start(Options options, SecretSeal seal) throws SQLException, IOException {
        HikariDataSource database = OutboxPool.open(options.store(), "semel-relay", CONNECTIONS, LONGEST_ANSWER);
        try {
            return start(options, seal, database);
        } catch (SQLException | IOException | RuntimeException e) {
            database.close();
            throw e;
        }
    }

    private static RelayServer start(Options options, SecretSeal seal, HikariDataSource database)
            throws SQLException, IOException {
        RelayMetrics metrics = new RelayMetrics();
        WebhookMetrics webhooks = new WebhookMetrics(metrics);
        Broker broker = BrokerUrls.open(
                options.broker(), options.source(), new WebhookParts(database, seal, new WebhookReport(webhooks)));
        try {
            Outbox outbox = Outbox.open(database);
            RelayLog log = new RelayLog();
            Relay relay = Relay.from(outbox)
                    .to(broker)
                    .named(options.name())
                    .with(options.settings())
                    .heardBy(event -> both(event, metrics, log))
                    .start();
            OutboxWatch watch = OutboxWatch.start(outbox, metrics, look(broker, database, webhooks));
            RelayAdmin admin = RelayAdmin.start(options.admin(), watch, metrics);
            OutboxNews news = options.listens() ? OutboxNews.start(options.store(), outbox::committed) : null;
            return new RelayServer(database, broker, relay, watch, admin, news);
        } catch (SQLException | IOException | RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    private static OutboxWatch.Look look(Broker broker, DataSource database, WebhookMetrics metrics)
            throws SQLException {
        if (!(broker instanceof WebhookBroker)) return OutboxWatch.Look.NONE;
        WebhookDeliveries deliveries = WebhookDeliveries.in(database);
        return () -> metrics.saw(deliveries.status());
    }

    private static void both(RelayEvent event, RelayMetrics metrics, RelayLog log) {
        metrics.on(event);
        log.on(event);
    }

    public int adminPort() {
        return admin.port();
    }

    /** The broker, for people. */
    public String brokerName() {
        return broker.name();
    }

    @Override
    public void close() {
        if (news != null) news.close();
        relay.close();
        watch.close();
        admin.close();
        broker.close();
        database.close();
    }
}
