package dev.semel.bench.peers.namastack;

import dev.semel.bench.loop.MessageTimes;
import dev.semel.bench.loop.Orders;
import dev.semel.bench.loop.OutboxServer;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A Spring Boot application with a handler that sends to Kafka, set up as the best run of its own documentation: virtual threads, 30 at
 * once, batches of 800 keys, a look every 25 ms; and records are deleted when they are done. Arguments: the JDBC URL, how many
 * connections, Kafka's bootstrap servers, and the topic.
 */
public final class NamastackPeer {
    private NamastackPeer() {}

    /** The message, which is stored as JSON. */
    public record OrderPaid(String payload) {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {
        @Bean
        MessageTimes times() {
            return new MessageTimes(OutboxServer.MOST_UNDER_WAY);
        }

        @Bean
        OrderSender sender(Environment environment, MessageTimes times) {
            return new OrderSender(
                    environment.getRequiredProperty("bench.bootstrap"),
                    environment.getRequiredProperty("bench.topic"),
                    times);
        }

        @Bean
        OrderPaidHandler handler(OrderSender sender) {
            return new OrderPaidHandler(sender);
        }
    }

    /** Called once for each message. */
    public static final class OrderPaidHandler implements OutboxTypedHandler<OrderPaid> {
        private final OrderSender sender;

        OrderPaidHandler(OrderSender sender) {
            this.sender = sender;
        }

        @Override
        public void handle(OrderPaid order, OutboxRecordMetadata metadata) {
            try {
                sender.send(metadata.getKey(), order.payload());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static void main(String[] args) throws Exception {
        try (ConfigurableApplicationContext spring = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(settings(args))
                .run()) {
            Outbox outbox = spring.getBean(Outbox.class);
            TransactionTemplate transactions = spring.getBean(TransactionTemplate.class);
            OutboxServer.serve(
                    (first, messages) -> transactions.executeWithoutResult(status -> {
                        for (long number = first; number < first + messages; number++)
                            outbox.schedule(new OrderPaid(Orders.payload(number)), Orders.key(number));
                    }),
                    spring.getBean(MessageTimes.class));
        }
    }

    private static Map<String, Object> settings(String[] args) {
        return Map.ofEntries(
                Map.entry("spring.main.banner-mode", "off"),
                Map.entry("logging.level.root", "warn"),
                Map.entry("spring.datasource.url", Objects.requireNonNull(args[0])),
                Map.entry("spring.datasource.hikari.maximum-pool-size", args[1]),
                Map.entry("spring.threads.virtual.enabled", "true"),
                Map.entry("namastack.outbox.polling.trigger", "fixed"),
                Map.entry("namastack.outbox.polling.batch-size", "800"),
                Map.entry("namastack.outbox.polling.fixed.interval", "25ms"),
                Map.entry("namastack.outbox.processing.executor-concurrency-limit", "30"),
                Map.entry("namastack.outbox.processing.delete-completed-records", "true"),
                Map.entry("bench.bootstrap", args[2]),
                Map.entry("bench.topic", args[3]));
    }
}
