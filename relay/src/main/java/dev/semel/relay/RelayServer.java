package dev.semel.relay;

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

/** A relay with all around it: the outbox in its database, the broker, and a listener for those who run it. */
public final class RelayServer implements AutoCloseable {
    private static final int CONNECTIONS = 6;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(10);

    private final HikariDataSource database;
    private final Broker broker;
    private final Relay relay;
    private final OutboxWatch watch;
    private final RelayAdmin admin;

    private RelayServer(HikariDataSource database, Broker broker, Relay relay, OutboxWatch watch, RelayAdmin admin) {
        this.database = database;
        this.broker = broker;
        this.relay = relay;
        this.watch = watch;
        this.admin = admin;
    }

    /**
     * What a relay is told.
     *
     * @param store where the outbox is, {@code jdbc:postgresql://…} or {@code jdbc:mariadb://…}
     * @param broker where to send to, {@code kafka://…}
     * @param source which application the messages come from, as a URI reference
     * @param name what it is called in the list of relays
     * @param admin where it says how it is doing; port 0 for any
     */
    public record Options(
            String store, String broker, String source, String name, InetSocketAddress admin, RelaySettings settings) {}

    /**
     * @throws SQLException when the database cannot be reached
     * @throws IllegalArgumentException when a URL is wrong
     * @throws IllegalStateException when the settings cannot work together
     */
    public static RelayServer start(Options options) throws SQLException, IOException {
        Broker broker = BrokerUrls.open(options.broker(), options.source());
        HikariDataSource database = OutboxPool.open(options.store(), "semel-relay", CONNECTIONS, LONGEST_ANSWER);
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
            return new RelayServer(database, broker, relay, watch, RelayAdmin.start(options.admin(), watch, metrics));
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

    public int adminPort() {
        return admin.port();
    }

    /** The broker, for people. */
    public String brokerName() {
        return broker.name();
    }

    @Override
    public void close() {
        relay.close();
        watch.close();
        admin.close();
        broker.close();
        database.close();
    }
}
