package dev.semel.broker.webhook.endpoint;

import dev.semel.broker.webhook.tables.Sql;
import dev.semel.webhook.SigningKey;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Endpoints and their live keys as they are read. */
public final class EndpointRows {
    private EndpointRows() {}

    public static Endpoint endpoint(ResultSet row) throws SQLException {
        Instant disabledAt = Sql.instantOrNull(row, "disabled_at");
        return new Endpoint(
                row.getObject("id", UUID.class),
                Sql.instant(row, "created_at"),
                new Endpoint.Plan(
                        row.getString("tenant"),
                        row.getString("url"),
                        new MessageFilter(Sql.texts(row, "topics"), Sql.texts(row, "types")),
                        row.getBoolean("in_order"),
                        Duration.ofMillis(row.getInt("timeout_ms")),
                        Duration.ofSeconds(row.getLong("max_age_seconds"))),
                disabledAt == null ? null : new Endpoint.Disabled(disabledAt, row.getString("disabled_reason")),
                new Endpoint.Health(
                        row.getInt("failures"),
                        Sql.instantOrNull(row, "failing_since"),
                        Sql.instantOrNull(row, "open_until")));
    }

    /** All that have not expired, the newest first. */
    public static List<SigningKey> liveKeys(Connection connection, SecretSeal seal, UUID endpoint, Instant now)
            throws SQLException {
        return Sql.of(
                        connection,
                        "select id, sealed, secret from semel.webhook_secret where endpoint = ?"
                                + " and (expires_at is null or expires_at > ?) order by created_at desc, id",
                        endpoint,
                        now)
                .list(row -> SigningKey.parse(seal.open(
                        endpoint, row.getObject("id", UUID.class), row.getBoolean("sealed"), row.getBytes("secret"))));
    }
}
