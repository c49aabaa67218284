package dev.semel.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.Delivery;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.messaging.relay.RelayRun;
import dev.semel.messaging.relay.RelaySettings;
import dev.semel.messaging.relay.Wakeup;
import dev.semel.messaging.tables.OutboxTables;
import dev.semel.messaging.tables.PostgresOutboxTables;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whatever the parts around it do wrong, a relay goes on: one that has stopped and holds its leases would hold everything up. */
@ExtendWith(SharedPostgres.class)
@SuppressWarnings("try") // a relay that runs is all that is asked of it
@Timeout(60)
class RelayDefectsTest {
    private static final RelaySettings QUICK = RelaySettings.DEFAULT
            .withLease(Duration.ofSeconds(1))
            .withPolls(Duration.ofMillis(2), Duration.ofMillis(20))
            .withPauses(Duration.ofMillis(5), Duration.ofMillis(50));

    private final BlockingQueue<OutgoingMessage> arrived = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    private HikariDataSource database;
    private Outbox outbox;

    @BeforeEach
    void open() throws SQLException {
        database = SharedPostgres.pool(SharedPostgres.freshUrl());
        outbox = Outbox.open(database);
        append("1");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void a_broker_that_throws_what_it_should_not_is_asked_again() throws Exception {
        AtomicInteger opened = new AtomicInteger();
        AtomicInteger published = new AtomicInteger();
        Broker broken = new ArrivingBroker() {
            @Override
            public Publisher open(ShardLease lease) {
                if (opened.getAndIncrement() < 16) throw new IllegalStateException("a defect of opening");
                return super.open(lease);
            }

            @Override
            void before() {
                int time = published.getAndIncrement();
                if (time == 0) throw new IllegalStateException("a defect of publishing");
                if (time == 1) throw new NoClassDefFoundError("a defect of its jar");
            }
        };
        try (Relay relay =
                Relay.from(outbox).to(broken).with(QUICK).heardBy(this::hear).start()) {
            assertArrives("1");
            assertEquals("open a shard", failures.take().replaceAll("shard \\d+ at the broker", "a shard"));
        }
        assertEquals(3, published.get());
    }

    @Test
    void a_listener_that_throws_stops_nothing() throws Exception {
        try (Relay relay = Relay.from(outbox)
                .to(new ArrivingBroker())
                .with(QUICK)
                .heardBy(event -> {
                    throw new IllegalStateException("a defect of who listens");
                })
                .start()) {
            assertArrives("1");
            append("2");
            assertArrives("2");
        }
    }

    @Test
    void a_defect_of_the_tables_gives_the_shards_up_and_they_are_taken_again() throws Exception {
        AtomicInteger left = new AtomicInteger(1);
        OutboxTables real = new PostgresOutboxTables();
        OutboxTables broken = (OutboxTables) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxTables.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("deleteSent") && left.getAndDecrement() > 0)
                        throw new IllegalStateException("a defect of the tables");
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        RelayRun run = RelayRun.start("relay", database, broken, new ArrivingBroker(), QUICK, this::hear, new Wakeup());
        try {
            assertArrives("1");
            assertEquals("look after the outbox", failures.take());
            assertArrives("1");
            append("2");
            assertArrives("2");
        } finally {
            run.close(Duration.ofSeconds(10));
        }
        assertEquals(0, outbox.status().waiting());
    }

    private void hear(RelayEvent event) {
        if (event instanceof RelayEvent.Failed it) failures.add(it.what());
    }

    private void assertArrives(String type) throws InterruptedException {
        assertEquals(type, arrived.take().type());
    }

    private void append(String type) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.append(connection, Message.of("orders", type, new byte[0]).withKey("k"));
            connection.commit();
        }
        outbox.committed();
    }

    /** Tells what it takes at once. */
    private class ArrivingBroker implements Broker {
        private final MemoryBroker broker = new MemoryBroker();

        @Override
        public Publisher open(ShardLease lease) {
            Publisher publisher = broker.open(lease);
            return new Publisher() {
                @Override
                public List<Delivery> publish(List<OutgoingMessage> messages) throws InterruptedException {
                    before();
                    List<Delivery> deliveries = publisher.publish(messages);
                    arrived.addAll(messages);
                    return deliveries;
                }

                @Override
                public void close() {
                    publisher.close();
                }
            };
        }

        void before() {}

        @Override
        public Duration longestPublish() {
            return broker.longestPublish();
        }

        @Override
        public String name() {
            return "arriving";
        }

        @Override
        public void close() {
            broker.close();
        }
    }
}
