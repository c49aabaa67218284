package dev.semel.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Messages appended by SQL, and what is not allowed in one, whichever way it comes. All else is in the contracts of testkit/messaging. */
@ExtendWith(SharedPostgres.class)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
@Timeout(60)
class AppendBySqlTest {
    private final MemoryBroker broker = new MemoryBroker();
    private HikariDataSource database;
    private Outbox outbox;

    @BeforeEach
    void open() throws SQLException {
        database = SharedPostgres.pool(SharedPostgres.freshUrl());
        outbox = Outbox.open(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void appending_from_sql_is_the_same() throws Exception {
        String id =
                one("select semel.append(topic => 'orders', key => 'k', type => 'order.paid', payload => '7'::bytea,"
                        + " headers => '{\"traceparent\": \"00-abc\", \"a\": \"b: c\"}')");
        try (Relay relay = Relay.from(outbox).to(broker).start()) {
            while (broker.taken().isEmpty()) LockSupport.parkNanos(2_000_000);
        }
        OutgoingMessage message = broker.taken().getFirst();
        assertEquals(UUID.fromString(id), message.id());
        assertEquals(7, message.id().version());
        assertEquals("00-abc", message.headers().get("traceparent"));
        assertEquals("b: c", message.headers().get("a"));
        assertEquals("7", new String(message.payload(), UTF_8));
    }

    @Test
    void what_is_not_allowed_is_refused_before_it_is_written() throws Exception {
        assertThrows(IllegalArgumentException.class, () -> Message.of("", "t", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> Message.of("a b", "t", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> Message.of("a", "", new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> keyed(""));
        assertThrows(IllegalArgumentException.class, () -> keyed("a\nb"));
        assertThrows(IllegalArgumentException.class, () -> keyed("k").withHeader("a", "b\r\nc: d"));
        assertThrows(IllegalArgumentException.class, () -> keyed("k").withHeader("webhook-id", "x"));
        assertThrows(IllegalArgumentException.class, () -> Message.of("a", "t", new byte[1024 * 1024 + 1]));
        for (String call : List.of(
                "null, 'k', 't', ''",
                "'a b', 'k', 't', ''",
                "'a', '', 't', ''",
                "'a', E'x\\ny', 't', ''",
                "'a', repeat('k', 513), 't', ''",
                "'a', 'k', null, ''",
                "'a', 'k', 't', null",
                "'a', 'k', 't', convert_to(repeat('x', 1048577), 'UTF8')",
                "'a', 'k', 't', '', '[]'",
                "'a', 'k', 't', '', '{\"a\": 1}'",
                "'a', 'k', 't', '', '{\"a\\nb\": \"c\"}'",
                "'a', 'k', 't', '', '{\"a\": \"b\\r\\nc\"}'",
                "'a', 'k', 't', '', '{\"Webhook-Id\": \"b\"}'")) {
            SQLException refused =
                    assertThrows(SQLException.class, () -> one("select semel.append(" + call + ")"), call);
            assertTrue(refused.getMessage().contains("semel: "), call + ": " + refused.getMessage());
        }
        assertEquals("0", one("select count(*) from semel.outbox"));
    }

    private static Message keyed(String key) {
        return Message.of("orders", "order.paid", new byte[] {'1'}).withKey(key);
    }

    private String one(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
