package dev.semel.broker.webhook;

import dev.semel.broker.webhook.delivery.WebhookEvent;
import dev.semel.broker.webhook.delivery.WebhookSender;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import dev.semel.broker.webhook.http.AddressGuard;
import dev.semel.broker.webhook.http.HttpPost;
import dev.semel.broker.webhook.tables.Transactions;
import dev.semel.broker.webhook.tables.WebhookSchema;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Sends messages to HTTP endpoints of others, by <a href="https://www.standardwebhooks.com">Standard Webhooks</a>.
 *
 * <p>A message is sent, for the relay, when a delivery of it for every endpoint that wants it is committed in the database of the
 * outbox: no endpoint can hold up the relay, or another endpoint. Deliveries are sent from there until the endpoint has taken them, by
 * this and by every other relay of the outbox that sends webhooks. Each endpoint gets each message at least once, always with the
 * same {@code webhook-id}. A message that no endpoint wants is sent, too.
 *
 * <p>Safe for use by any thread.
 */
public final class WebhookBroker implements Broker {
    private final Transactions transactions;
    private final WebhookSettings settings;
    private final HttpPost http;
    private final WebhookSender sender;

    private WebhookBroker(Transactions transactions, WebhookSettings settings, HttpPost http, WebhookSender sender) {
        this.transactions = transactions;
        this.settings = settings;
        this.http = http;
        this.sender = sender;
    }

    /**
     * Webhooks of the outbox in this database, which begins to send what is due. Makes its tables where they are missing.
     *
     * @param database PostgreSQL, with at least four connections beside those of the relay; it is not closed
     * @throws SQLException when the database cannot be reached
     * @throws IllegalStateException when it is no PostgreSQL, is used by a newer version, or has secrets that the key of the settings
     *     does not open
     */
    public static WebhookBroker open(DataSource database, WebhookSettings settings, WebhookEvent.Listener listener)
            throws SQLException {
        WebhookSchema.migrate(database);
        WebhookEndpoints.in(database, settings.seal(), settings.time()).requireReadable();
        Transactions transactions = new Transactions(database, settings.time(), settings.patience());
        HttpPost http = new HttpPost(new AddressGuard(settings.allowed()), settings.names(), settings.tls());
        WebhookSender sender = WebhookSender.start(transactions, settings.seal(), http, settings.sender(), listener);
        return new WebhookBroker(transactions, settings, http, sender);
    }

    @Override
    public Publisher open(ShardLease lease) {
        return WebhookPublisher.open(lease, transactions, settings.largest(), sender);
    }

    /** A few statements, of which the first that is not answered in time ends it; and the wait for a connection. */
    @Override
    public Duration longestPublish() {
        return settings.patience().multipliedBy(3);
    }

    @Override
    public String name() {
        return "webhooks";
    }

    /** What is being sent is waited for, for a while. */
    @Override
    public void close() {
        sender.close();
        http.close();
    }
}
