package dev.semel.broker.webhook.endpoint;

import dev.semel.broker.webhook.http.EndpointUrl;
import dev.semel.broker.webhook.tables.DeliveryTime;
import dev.semel.broker.webhook.tables.Sql;
import dev.semel.broker.webhook.tables.Transactions;
import dev.semel.broker.webhook.tables.WebhookSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints in the database of an outbox. What is changed here is heeded by relays from their next look on, within a second.
 * Safe for use by any thread.
 */
public final class WebhookEndpoints {
    /** So many secrets at once make a header that is still read everywhere. */
    public static final int MOST_SECRETS = 5;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Transactions transactions;
    private final SecretSeal seal;

    private WebhookEndpoints(Transactions transactions, SecretSeal seal) {
        this.transactions = transactions;
        this.seal = seal;
    }

    /** Makes the tables where they are missing, so that endpoints can be added before the first relay runs. */
    public static WebhookEndpoints open(DataSource database, SecretSeal seal) throws SQLException {
        WebhookSchema.migrate(database);
        return in(database, seal);
    }

    /** @throws IllegalStateException when the tables are missing */
    public static WebhookEndpoints in(DataSource database, SecretSeal seal) throws SQLException {
        return in(database, seal, DeliveryTime.DATABASE);
    }

    /** By another clock, for tests. */
    public static WebhookEndpoints in(DataSource database, SecretSeal seal, DeliveryTime time) throws SQLException {
        WebhookSchema.require(database);
        return new WebhookEndpoints(new Transactions(database, time, PATIENCE), seal);
    }

    /** A new endpoint and its secret, which is never shown again. */
    public record Added(UUID id, NewSecret secret) {}

    /**
     * Adds one; it gets the messages that relays hand over from now on. Whether its URL may be http, and which addresses may be
     * reached, is decided by the relay that sends.
     *
     * @throws IllegalArgumentException when webhooks cannot be sent to its URL
     * @throws SecretSeal.SealedSecretException when there are secrets that the key of this process does not open: the relays have
     *     another one, and could not use what this process adds
     */
    public Added add(Endpoint.Plan plan, NewSecret.Kind kind) throws SQLException {
        EndpointUrl.parse(plan.url(), true);
        requireReadable();
        UUID id = UUID.randomUUID();
        NewSecret secret = NewSecret.of(kind);
        transactions.run((connection, now) -> {
            insert(connection, id, plan, now);
            insert(connection, id, secret, now);
            return id;
        });
        return new Added(id, secret);
    }

    private static void insert(Connection connection, UUID id, Endpoint.Plan plan, Instant now) throws SQLException {
        Sql.of(
                        connection,
                        "insert into semel.webhook_endpoint (id, created_at, tenant, url, topics, types, in_order,"
                                + " timeout_ms, max_age_seconds) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        id,
                        now,
                        plan.tenant(),
                        plan.url(),
                        Sql.texts(plan.filter().topics()),
                        Sql.texts(plan.filter().types()),
                        plan.inOrder(),
                        (int) plan.timeout().toMillis(),
                        plan.maxAge().toSeconds())
                .update();
    }

    private void insert(Connection connection, UUID endpoint, NewSecret secret, Instant now) throws SQLException {
        UUID id = UUID.randomUUID();
        Sql.of(
                        connection,
                        "insert into semel.webhook_secret (id, endpoint, created_at, sealed, secret) values (?, ?, ?,"
                                + " ?, ?)",
                        id,
                        endpoint,
                        now,
                        seal.isOn(),
                        seal.seal(endpoint, id, secret.signing()))
                .update();
    }

    /** In the order in which they were added. */
    public List<Endpoint> list() throws SQLException {
        return transactions.run(
                (connection, now) -> Sql.of(connection, "select * from semel.webhook_endpoint order by created_at, id")
                        .list(EndpointRows::endpoint));
    }

    public @Nullable Endpoint find(UUID id) throws SQLException {
        return transactions
                .run((connection, now) -> Sql.of(connection, "select * from semel.webhook_endpoint where id = ?", id)
                        .list(EndpointRows::endpoint))
                .stream()
                .findFirst()
                .orElse(null);
    }

    /** A secret, without what is secret. */
    public record SecretLine(Instant createdAt, @Nullable Instant expiresAt, boolean encrypted) {}

    public List<SecretLine> secrets(UUID endpoint) throws SQLException {
        return transactions.run((connection, now) -> Sql.of(
                        connection,
                        "select created_at, expires_at, sealed from semel.webhook_secret where endpoint = ?"
                                + " and (expires_at is null or expires_at > ?) order by created_at desc, id",
                        endpoint,
                        now)
                .list(row -> new SecretLine(
                        Sql.instant(row, "created_at"),
                        Sql.instantOrNull(row, "expires_at"),
                        row.getBoolean("sealed"))));
    }

    /** Changes what its owner chose. @return whether there is such an endpoint */
    public boolean update(UUID id, Endpoint.Plan plan) throws SQLException {
        EndpointUrl.parse(plan.url(), true);
        return transactions.run((connection, now) -> Sql.of(
                                connection,
                                "update semel.webhook_endpoint set tenant = ?, url = ?, topics = ?, types = ?,"
                                        + " in_order = ?, timeout_ms = ?, max_age_seconds = ? where id = ?",
                                plan.tenant(),
                                plan.url(),
                                Sql.texts(plan.filter().topics()),
                                Sql.texts(plan.filter().types()),
                                plan.inOrder(),
                                (int) plan.timeout().toMillis(),
                                plan.maxAge().toSeconds(),
                                id)
                        .update()
                > 0);
    }

    /** Sends nothing to it any more; what comes for it waits. @return whether it was enabled */
    public boolean disable(UUID id, String reason) throws SQLException {
        return transactions.run((connection, now) -> disable(connection, id, reason, now));
    }

    /** The same in a transaction of the caller's. */
    public static boolean disable(Connection connection, UUID id, String reason, Instant now) throws SQLException {
        return Sql.of(
                                connection,
                                "update semel.webhook_endpoint set disabled_at = ?, disabled_reason = ?"
                                        + " where id = ? and disabled_at is null",
                                now,
                                reason,
                                id)
                        .update()
                > 0;
    }

    /** Sends to it from now on, first what waits. @return whether there is such an endpoint */
    public boolean enable(UUID id) throws SQLException {
        return transactions.run((connection, now) -> {
            int found = Sql.of(
                            connection,
                            "update semel.webhook_endpoint set disabled_at = null, disabled_reason = null, failures ="
                                    + " 0, failing_since = null, open_until = null where id = ?",
                            id)
                    .update();
            Sql.of(
                            connection,
                            "update semel.webhook_delivery set due_at = ? where endpoint = ? and state = 'open'"
                                    + " and not leased and due_at > ?",
                            now,
                            id,
                            now)
                    .update();
            return found > 0;
        });
    }

    /** Removes it with its secrets, and with all that was to be delivered to it. @return whether there was such an endpoint */
    public boolean remove(UUID id) throws SQLException {
        return transactions.run(
                (connection, now) -> Sql.of(connection, "delete from semel.webhook_endpoint where id = ?", id)
                                .update()
                        > 0);
    }

    /**
     * Gives it a new secret. Webhooks are signed with the old ones too, until the overlap is over.
     *
     * @return null when there is no such endpoint
     * @throws IllegalArgumentException when there are too many already
     * @throws SecretSeal.SealedSecretException as {@link #add}
     */
    public @Nullable NewSecret rotate(UUID endpoint, NewSecret.Kind kind, Duration overlap) throws SQLException {
        requireReadable();
        NewSecret secret = NewSecret.of(kind);
        boolean found = transactions.run((connection, now) -> {
            Object locked = Sql.of(connection, "select 1 from semel.webhook_endpoint where id = ? for update", endpoint)
                    .first(row -> row.getInt(1));
            if (locked == null) return false;
            Sql.of(connection, "delete from semel.webhook_secret where endpoint = ? and expires_at <= ?", endpoint, now)
                    .update();
            int live = Sql.of(
                            connection,
                            "update semel.webhook_secret set expires_at = least(expires_at, ?) where endpoint = ?",
                            now.plus(overlap),
                            endpoint)
                    .update();
            if (!overlap.isZero() && live >= MOST_SECRETS)
                throw new IllegalArgumentException("The endpoint has " + live + " secrets that still count, which is"
                        + " the most there can be. Wait until one expires, or rotate without an overlap.");
            insert(connection, endpoint, secret, now);
            return true;
        });
        return found ? secret : null;
    }

    /** @throws SecretSeal.SealedSecretException when a secret cannot be read with the key of this process */
    public void requireReadable() throws SQLException {
        transactions.run((connection, now) -> {
            for (UUID id : Sql.of(connection, "select id from semel.webhook_endpoint")
                    .list(row -> row.getObject(1, UUID.class))) EndpointRows.liveKeys(connection, seal, id, now);
            return true;
        });
    }
}
