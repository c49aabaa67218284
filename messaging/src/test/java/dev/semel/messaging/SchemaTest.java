package dev.semel.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.letter.LetterFilter;
import dev.semel.messaging.letter.Redrive;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.tables.PostgresSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two outboxes in one database have nothing to do with each other. */
@ExtendWith(SharedPostgres.class)
@Timeout(60)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
class SchemaTest {
    private static final PostgresSchema OTHER = new PostgresSchema("other_one");

    @Test
    void each_has_its_messages_relays_letters_and_inbox() throws Exception {
        try (HikariDataSource database = SharedPostgres.pool(SharedPostgres.freshUrl())) {
            Outbox other = Outbox.open(database, OTHER);
            assertThrows(
                    IllegalStateException.class, () -> Outbox.existing(database), "the usual one is not there yet");
            Outbox usual = Outbox.open(database);
            Outbox.existing(database, OTHER);
            MemoryBroker broker = new MemoryBroker();
            broker.refuse(message -> new Delivery.Dead("refused", "not this one"));
            UUID id;
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                usual.append(connection, Message.of("usual", "t", new byte[0]));
                id = other.append(
                        connection, Message.of("other", "t", new byte[0]).withKey("k"));
                connection.commit();
            }
            try (Relay relay = Relay.from(other).to(broker).start()) {
                while (other.status().deadLetters() == 0) LockSupport.parkNanos(2_000_000);
                assertEquals(List.of(), DeadLetters.of(usual).list(LetterFilter.ALL, 0, 10));
                assertEquals(
                        id,
                        DeadLetters.of(other)
                                .list(LetterFilter.ALL, 0, 10)
                                .getFirst()
                                .message()
                                .id());
                broker.refuse(message -> null);
                DeadLetters.of(other).redrive(LetterFilter.ALL, new Redrive.Pace(100, 0), "a test", "mended");
                while (broker.taken().isEmpty()) LockSupport.parkNanos(2_000_000);
            }
            assertEquals(
                    List.of("other"),
                    broker.taken().stream().map(it -> it.topic()).toList());
            assertEquals(1, usual.status().waiting());
            Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofDays(1)));
            Inbox apart = Inbox.open(database, new InboxWindow(Duration.ofDays(2)), OTHER);
            try (Connection connection = inbox.begin()) {
                assertTrue(inbox.firstTime(connection, "c", "m"));
                assertTrue(apart.firstTime(connection, "c", "m"));
                assertFalse(apart.firstTime(connection, "c", "m"));
                connection.commit();
            }
            assertFalse(apart.expire());
        }
    }

    /** What is said to the database about one schema must not name another. */
    @Test
    void nothing_of_the_usual_schema_is_made_or_needed_by_another() throws Exception {
        try (HikariDataSource database = SharedPostgres.pool(SharedPostgres.freshUrl())) {
            Outbox other = Outbox.open(database, OTHER);
            Inbox inbox = Inbox.open(database, new InboxWindow(Duration.ofMillis(1)), OTHER);
            MemoryBroker broker = new MemoryBroker();
            broker.refuse(message -> new Delivery.Dead("refused", "not this one"));
            List<RelayEvent> troubles = new CopyOnWriteArrayList<>();
            try (Relay relay = Relay.from(other)
                    .to(broker)
                    .heardBy(event -> {
                        if (event instanceof RelayEvent.DatabaseAway || event instanceof RelayEvent.Failed)
                            troubles.add(event);
                    })
                    .start()) {
                List<UUID> ids;
                try (Connection connection = inbox.begin()) {
                    inbox.once(connection, "c", "m", () -> {});
                    ids = other.append(
                            connection,
                            List.of(
                                    Message.of("a", "t", new byte[0]).withKey("k"),
                                    Message.of("a", "t", new byte[0]).withKey("k"),
                                    Message.of("b", "t", new byte[0])));
                    connection.commit();
                }
                while (other.status().deadLetters() < 3) LockSupport.parkNanos(2_000_000);
                DeadLetters letters = DeadLetters.of(other);
                assertNotNull(letters.find(ids.get(1)));
                assertEquals(3, letters.dryRun(LetterFilter.ALL).letters());
                assertTrue(letters.drop(ids.getFirst(), "a test", "dropped"));
                broker.refuse(message -> null);
                long redrive = letters.redrive(LetterFilter.ALL, new Redrive.Pace(100, 1), "a test", "mended");
                while (broker.taken().size() < 2) LockSupport.parkNanos(2_000_000);
                letters.pause(redrive, "a test", "enough");
                assertEquals(1, letters.redrives(10).size());
                assertTrue(inbox.expire());
            }
            assertEquals(List.of(), troubles);
            try (Connection connection = database.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "select count(*) filter (where nspname = 'semel'), count(*) filter (where nspname ="
                                    + " 'other_one') from pg_namespace")) {
                row.next();
                assertEquals(0, row.getInt(1));
                assertEquals(1, row.getInt(2));
            }
        }
    }

    @Test
    void a_name_is_one_that_needs_no_quotes() {
        for (String bad : List.of("", "Semel", "1a", "a-b", "a.b", "a;drop table x", "a\"b", "x".repeat(64)))
            assertThrows(IllegalArgumentException.class, () -> new PostgresSchema(bad), bad);
    }
}
