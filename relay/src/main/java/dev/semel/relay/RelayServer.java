package dev.semel.relay;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.Relay;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.relay.metrics.RelayMetrics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A relay with all around it: the outbox in its database, the broker, and a listener for those who run it. */
public final class RelayServer implements AutoCloseable {
    private static final int CONNECTIONS = 6;

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
     * @param store where the outbox is, {@code jdbc:postgresql://…}
     * @param broker where to send to, {@code kafka://…}
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
        Broker broker = BrokerUrls.open(options.broker(), options.source());
        HikariDataSource database = database(options.store());
        try {
            Outbox outbox = Outbox.open(database);
            RelayMetrics metrics = new RelayMetrics();
            RelayLog log = new RelayLog();
            Relay relay = Relay.from(outbox)
                    .to(broker)
                    .named(options.name())
                    .with(options.settings())
                    .heardBy(event -> both(event, metrics, log))
                    .start();
            OutboxWatch watch = OutboxWatch.start(outbox, metrics);
            RelayAdmin admin = RelayAdmin.start(options.admin(), watch, metrics);
            OutboxNews news = options.listens() ? OutboxNews.start(options.store(), outbox::committed) : null;
            return new RelayServer(database, broker, relay, watch, admin, news);
        } catch (SQLException | IOException | RuntimeException e) {
            database.close();
            broker.close();
            throw e;
        }
    }

    private static void both(RelayEvent event, RelayMetrics metrics, RelayLog log) {
        metrics.on(event);
        log.on(event);
    }

    private static HikariDataSource database(String url) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("semel-relay");
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
        config.setInitializationFailTimeout(-1);
        // As text: the driver leaves out what is not. A database that hangs must not hold a lease's renewal up for
        // long.
        config.addDataSourceProperty("connectTimeout", "5");
        config.addDataSourceProperty("socketTimeout", "10");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("ApplicationName", "semel-relay");
        return new HikariDataSource(config);
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
