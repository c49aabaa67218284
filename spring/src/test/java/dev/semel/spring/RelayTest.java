package dev.semel.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.Outbox;
import dev.semel.messaging.memory.MemoryBroker;
import dev.semel.messaging.message.Message;
import dev.semel.messaging.message.OutgoingMessage;
import dev.semel.messaging.relay.RelayEvent;
import dev.semel.spring.messaging.OutboxMisuseException;
import dev.semel.spring.messaging.OutboxTemplate;
import dev.semel.spring.messaging.RelayOfApplication;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** A relay in an application. */
@Timeout(60)
class RelayTest {
    @Configuration(proxyBeanMethods = false)
    static class Sending {
        final BlockingQueue<OutgoingMessage> arrived = new LinkedBlockingQueue<>();
        final BlockingQueue<RelayEvent> events = new LinkedBlockingQueue<>();

        @Bean
        MemoryBroker broker() {
            MemoryBroker broker = new MemoryBroker();
            broker.refuse(message -> {
                arrived.add(message);
                return null;
            });
            return broker;
        }

        @Bean
        RelayEvent.Listener listener() {
            return events::add;
        }

        <E extends RelayEvent> void await(Class<E> type) throws InterruptedException {
            while (!type.isInstance(events.take())) {}
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsOutbox {
        @Bean
        List<String> user(Outbox outbox) {
            return List.of(outbox.toString());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NeedsInbox {
        @Bean
        List<String> user(Inbox inbox) {
            return List.of(inbox.toString());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDataSources {
        @Bean
        DataSource one() {
            return new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/one");
        }

        @Bean
        DataSource two() {
            return new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/two");
        }
    }

    private static void append(ConfigurableApplicationContext application, String body) {
        application
                .getBean(TransactionTemplate.class)
                .executeWithoutResult(status -> application
                        .getBean(OutboxTemplate.class)
                        .append(Message.of("orders", "order.paid", body.getBytes(UTF_8))));
    }

    private static String body(OutgoingMessage message) {
        return new String(message.payload(), UTF_8);
    }

    private static JsonNode health(Http http, Predicate<JsonNode> until) throws Exception {
        while (true) {
            JsonNode health = new ObjectMapper()
                    .readTree(http.get("/actuator/health").body())
                    .at("/components/semelRelay");
            if (until.test(health)) return health;
            Thread.onSpinWait();
        }
    }

    @Test
    void a_relay_sends_what_is_committed_says_how_it_is_doing_and_can_be_paused() throws Exception {
        Database database = Database.fresh();
        try (ConfigurableApplicationContext application = Applications.web(
                        List.of(
                                "spring.datasource.url=" + database.url(),
                                "management.endpoint.health.show-details=always",
                                // So that only the wake-up after a commit makes it look.
                                "semel.relay.idle-poll=30s"),
                        Sending.class);
                Http http = new Http(application)) {
            Sending sending = application.getBean(Sending.class);
            append(application, "1");
            assertEquals("1", body(sending.arrived.take()));
            sending.await(RelayEvent.Sent.class);
            JsonNode up = health(http, it -> it.at("/details").has("waiting"));
            assertEquals("UP", up.at("/status").asText(), up.toString());
            assertTrue(up.at("/details/running").asBoolean());
            assertEquals("memory", up.at("/details/broker").asText());
            assertFalse(up.toString().contains("jdbc:"), up.toString());

            application.getBean(MemoryBroker.class).setAway(true);
            append(application, "2");
            sending.await(RelayEvent.BrokerAway.class);
            JsonNode away = health(http, it -> it.at("/details").has("brokerAwaySeconds"));
            assertEquals("UP", away.at("/status").asText(), "the application goes on: " + away);
            application.getBean(MemoryBroker.class).setAway(false);
            assertEquals("2", body(sending.arrived.take()));
            health(http, it -> !it.at("/details").has("brokerAwaySeconds"));
            assertMeters(application.getBean(MeterRegistry.class));

            RelayOfApplication relay = application.getBean(RelayOfApplication.class);
            relay.stop();
            append(application, "3");
            JsonNode paused = health(http, it -> true);
            assertEquals("DOWN", paused.at("/status").asText(), paused.toString());
            assertEquals(1, database.count("semel.outbox"));
            relay.start();
            assertEquals("3", body(sending.arrived.take()));
        }
    }

    private static void assertMeters(MeterRegistry registry) throws Exception {
        assertEquals(2, registry.get("semel.relay.sent").counter().count());
        assertTrue(registry.get("semel.relay.broker.away").counter().count() >= 1);
        assertEquals(16, registry.get("semel.relay.shards").gauge().value());
        String documented = Files.readString(Path.of(System.getProperty("semel.root"), "docs/messaging.md"));
        Set<String> own = registry.getMeters().stream()
                .filter(each -> each.getId().getName().matches("semel\\.(relay|outbox)\\..*"))
                .map(RelayTest::asPrometheusHasIt)
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(own.size() >= 14, own.toString());
        for (String name : own) assertTrue(documented.contains("`" + name + "`"), name + " is in no list of meters");
    }

    private static String asPrometheusHasIt(Meter meter) {
        String name = meter.getId().getName().replace('.', '_');
        return switch (meter.getId().getType()) {
            case COUNTER -> name + "_total";
            case TIMER -> name + "_seconds";
            default -> name;
        };
    }

    @Test
    void messages_are_in_the_database_of_the_application_wherever_its_keys_are() throws Exception {
        Database database = Database.fresh();
        try (ConfigurableApplicationContext application = Applications.start(
                WebApplicationType.NONE,
                List.of("spring.datasource.url=" + database.url(), "semel.store=memory:"),
                NeedsOutbox.class)) {
            append(application, "1");
            assertEquals(1, database.count("semel.outbox"));
            assertEquals(0, application.getBeansOfType(RelayOfApplication.class).size(), "there is no broker");
        }
    }

    @Test
    void an_application_that_uses_no_messages_has_no_tables_for_them() throws Exception {
        Database database = Database.fresh();
        try (ConfigurableApplicationContext application = Applications.onDatabase(database.url(), Object.class);
                Connection connection = DriverManager.getConnection(database.url());
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select to_regclass('semel.outbox'), to_regclass('semel.inbox_0')")) {
            assertTrue(application.isRunning());
            row.next();
            assertEquals(null, row.getString(1));
            assertEquals(null, row.getString(2));
        }
    }

    private static void refused(String said, String database, Class<?> beans, String... properties) {
        List<String> all = new ArrayList<>(List.of("semel.store=memory:", "spring.datasource.url=" + database));
        all.addAll(List.of(properties));
        Throwable thrown = assertThrows(
                Exception.class,
                () -> Applications.start(WebApplicationType.NONE, all, beans).close());
        while (!(thrown instanceof OutboxMisuseException) && thrown.getCause() != null) thrown = thrown.getCause();
        String message = thrown.toString();
        assertTrue(thrown instanceof OutboxMisuseException && message.contains(said), message);
    }

    @Test
    void an_application_whose_messages_could_not_be_kept_or_sent_does_not_start() throws Exception {
        String url = Database.fresh().url();
        String nowhere = "jdbc:postgresql://127.0.0.1:1/no";
        String kafka = "semel.relay.broker=kafka://127.0.0.1:1";
        refused(
                "is no URL of a broker. Known are kafka://",
                nowhere,
                Object.class,
                "semel.relay.broker=ibmmq://somewhere");
        refused("is no URL of a broker: Kafka's producer", nowhere, Object.class, kafka + "?batch.size=many");
        refused("The messages have no source", nowhere, Object.class, kafka, "spring.application.name=");
        refused("the database does not answer", nowhere, Object.class, kafka);
        refused("another relay would send while this one", url, Object.class, kafka, "semel.relay.lease=1s");
        refused("A batch has at least one message", url, Object.class, kafka, "semel.relay.batch=0");
        refused("but a duplicate can come after PT528H", url, NeedsInbox.class, "semel.inbox.keep=1d");
        refused(
                "There are 2 DataSources, and Semel cannot tell in which one to keep messages",
                nowhere,
                TwoDataSources.class,
                kafka);
    }

    @Test
    void an_empty_broker_or_a_relay_that_is_switched_off_sends_nothing() throws Exception {
        String url = "spring.datasource.url=" + Database.fresh().url();
        for (List<String> off : List.of(
                List.of(url, "semel.relay.broker="),
                List.of(url, "semel.relay.broker=kafka://127.0.0.1:1", "semel.relay.enabled=false")))
            try (ConfigurableApplicationContext application =
                    Applications.start(WebApplicationType.NONE, off, NeedsOutbox.class)) {
                assertEquals(
                        0, application.getBeansOfType(RelayOfApplication.class).size());
            }
    }
}
