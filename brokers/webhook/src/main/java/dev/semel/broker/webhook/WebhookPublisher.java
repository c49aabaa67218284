package dev.semel.broker.webhook;

import dev.semel.broker.webhook.delivery.WebhookSender;
import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.EndpointRows;
import dev.semel.broker.webhook.tables.Sql;
import dev.semel.broker.webhook.tables.Transactions;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.PublisherFencedException;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.message.HeaderLines;
import dev.semel.messaging.message.OrderedKey;
import dev.semel.messaging.message.OutgoingMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** Writes the deliveries of a shipment, all in one transaction, in which it still has the newest lease of the shard. */
final class WebhookPublisher implements Publisher {
    private static final String TENANT = "tenant";

    private static final String LEASE = """
        insert into semel.webhook_shard as s (shard, epoch) values (?, ?)
        on conflict (shard) do update set epoch = excluded.epoch where s.epoch <= excluded.epoch
        returning epoch
        """;

    /** Whoever opens the shard later waits for this transaction, and then this one writes nothing more. */
    private static final String HOLD = "select 1 from semel.webhook_shard where shard = ? and epoch = ? for share";

    /** A message that is there already was handed over before. */
    private static final String MESSAGES = """
        insert into semel.webhook_message (message_id, stored_at, appended_at, topic, key, type, headers, payload)
        select m.message_id, ?, m.appended_at, m.topic, m.key, m.type, m.headers, m.payload
        from unnest(?, ?, ?, ?, ?, ?, ?) as m (message_id, appended_at, topic, key, type, headers, payload)
        on conflict do nothing
        """;

    private static final String DELIVERIES = """
        insert into semel.webhook_delivery (message_id, endpoint, created_at, due_at, topic, key)
        select d.message_id, d.endpoint, ?, ?, d.topic, d.key
        from unnest(?, ?, ?, ?) with ordinality as d (message_id, endpoint, topic, key, place)
        order by d.place on conflict do nothing
        """;

    private final ShardLease lease;
    private final Transactions transactions;
    private final int largest;
    private final WebhookSender sender;

    private WebhookPublisher(ShardLease lease, Transactions transactions, int largest, WebhookSender sender) {
        this.lease = lease;
        this.transactions = transactions;
        this.largest = largest;
        this.sender = sender;
    }

    static WebhookPublisher open(ShardLease lease, Transactions transactions, int largest, WebhookSender sender) {
        try {
            Object epoch = transactions.run((connection, now) -> List.copyOf(
                    Sql.of(connection, LEASE, lease.shard(), lease.epoch()).list(row -> row.getLong(1))));
            if (epoch.equals(List.of())) throw fenced(lease);
            return new WebhookPublisher(lease, transactions, largest, sender);
        } catch (SQLException e) {
            throw new BrokerException("The tables of webhooks cannot be reached: " + e.getMessage(), e);
        }
    }

    private static PublisherFencedException fenced(ShardLease lease) {
        return new PublisherFencedException("Shard " + lease.shard() + " was opened by a later lease.", null);
    }

    @Override
    public List<Delivery> publish(List<OutgoingMessage> messages) {
        List<Delivery> deliveries = new ArrayList<>();
        List<OutgoingMessage> taken = new ArrayList<>();
        Map<OrderedKey, UUID> refused = new HashMap<>();
        for (OutgoingMessage message : messages) {
            OrderedKey order = message.order();
            UUID ahead = order == null ? null : refused.get(order);
            if (ahead != null) deliveries.add(Delivery.Retry.behind(ahead));
            else if (message.payload().length > largest) {
                if (order != null) refused.put(order, message.id());
                deliveries.add(new Delivery.Dead(
                        "too-large",
                        "Its payload has " + message.payload().length + " bytes; webhooks have at most " + largest
                                + "."));
            } else {
                taken.add(message);
                deliveries.add(new Delivery.Sent());
            }
        }
        if (!taken.isEmpty()) write(taken);
        return deliveries;
    }

    /** When it fails, it is not known whether it was written; written twice is once. */
    private void write(List<OutgoingMessage> messages) {
        try {
            boolean mine = transactions.run((connection, now) -> {
                if (Sql.of(connection, HOLD, lease.shard(), lease.epoch()).first(row -> row.getInt(1)) == null)
                    return false;
                write(connection, messages, now);
                return true;
            });
            if (!mine) throw fenced(lease);
            sender.signal();
        } catch (SQLException e) {
            throw new BrokerException("The deliveries of webhooks cannot be written: " + e.getMessage(), e);
        }
    }

    private record Addressed(OutgoingMessage message, UUID endpoint) {}

    private static void write(Connection connection, List<OutgoingMessage> messages, Instant now) throws SQLException {
        List<Endpoint> endpoints =
                Sql.of(connection, "select * from semel.webhook_endpoint").list(EndpointRows::endpoint);
        List<Addressed> addressed = new ArrayList<>();
        List<OutgoingMessage> wanted = new ArrayList<>();
        for (OutgoingMessage message : messages) {
            int before = addressed.size();
            for (Endpoint endpoint : endpoints)
                if (wants(endpoint.plan(), message)) addressed.add(new Addressed(message, endpoint.id()));
            if (addressed.size() > before) wanted.add(message);
        }
        if (wanted.isEmpty()) return;
        insertMessages(connection, wanted, now);
        insertDeliveries(connection, addressed, now);
    }

    /** The messages of one tenant never reach another's endpoint. */
    private static boolean wants(Endpoint.Plan plan, OutgoingMessage message) {
        return plan.filter().wants(message.topic(), message.type())
                && (plan.tenant().isEmpty() || plan.tenant().equals(tenant(message)));
    }

    private static String tenant(OutgoingMessage message) {
        return message.headers().entrySet().stream()
                .filter(it -> it.getKey().toLowerCase(Locale.ROOT).equals(TENANT))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("");
    }

    private static void insertMessages(Connection connection, List<OutgoingMessage> messages, Instant now)
            throws SQLException {
        Sql.of(
                        connection,
                        MESSAGES,
                        now,
                        Sql.array(
                                "uuid",
                                messages.stream().map(OutgoingMessage::id).toList()),
                        Sql.array(
                                "timestamptz",
                                messages.stream()
                                        .map(it -> it.appendedAt().toString())
                                        .toList()),
                        Sql.array(
                                "text",
                                messages.stream().map(OutgoingMessage::topic).toList()),
                        Sql.array(
                                "text",
                                messages.stream().map(OutgoingMessage::key).toList()),
                        Sql.array(
                                "text",
                                messages.stream().map(OutgoingMessage::type).toList()),
                        Sql.array(
                                "text",
                                messages.stream()
                                        .map(it -> HeaderLines.format(it.headers()))
                                        .toList()),
                        Sql.array(
                                "bytea",
                                messages.stream().map(OutgoingMessage::payload).toList()))
                .update();
    }

    private static void insertDeliveries(Connection connection, List<Addressed> addressed, Instant now)
            throws SQLException {
        Sql.of(
                        connection,
                        DELIVERIES,
                        now,
                        now,
                        Sql.array(
                                "uuid",
                                addressed.stream().map(it -> it.message().id()).toList()),
                        Sql.array(
                                "uuid",
                                addressed.stream().map(Addressed::endpoint).toList()),
                        Sql.array(
                                "text",
                                addressed.stream()
                                        .map(it -> it.message().topic())
                                        .toList()),
                        Sql.array(
                                "text",
                                addressed.stream().map(it -> it.message().key()).toList()))
                .update();
    }

    @Override
    public void close() {}
}
