package dev.semel.broker.rabbitmq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RabbitMqUrlTest {
    @Test
    void a_url_says_where_and_how() {
        RabbitMqSettings settings = RabbitMqUrl.parse(
                "amqps://us%40r:p%3A%2Fw+@one:1,[::1]:2/v%2Fh?exchange=a+b&connect-timeout=500ms&publish-timeout=3s&heartbeat=5s&max-message-size=1000");
        assertTrue(settings.tls());
        assertEquals("us@r", settings.user());
        assertEquals("p:/w+", settings.password());
        assertEquals("v/h", settings.host());
        assertEquals("a b", settings.exchange());
        assertEquals(2, settings.addresses().size());
        assertEquals(Duration.ofMillis(500), settings.connect());
        assertEquals(Duration.ofMillis(4500), settings.longestPublish());
        assertEquals(Duration.ofSeconds(5), settings.heartbeat());
        assertEquals(1000, settings.largest());
        assertTrue(!settings.toString().contains("p:/w"), settings.toString());
    }

    @Test
    void what_is_not_said_is_as_usual() {
        RabbitMqSettings settings = RabbitMqUrl.parse("amqp://rabbit");
        assertEquals("guest", settings.user());
        assertEquals("/", settings.host());
        assertEquals("/", RabbitMqUrl.parse("amqp://rabbit/").host());
        assertEquals("RabbitMQ at rabbit:5672", settings.name());
        assertEquals(
                "RabbitMQ at rabbit:5671", RabbitMqUrl.parse("amqps://rabbit").name());
    }

    @Test
    void a_wrong_one_is_refused_and_its_password_is_not_repeated() {
        assertRefused("amqp:rabbit", "amqp://user:password@host");
        assertRefused("kafka://rabbit", "amqp://");
        assertRefused("amqp://", "amqp://");
        assertRefused("amqp://u:geheim@", "amqp://");
        assertRefused("amqp://u:geheim/1@rabbit", "%2F");
        assertRefused("amqp://u:1/geheim@rabbit", "%2F");
        assertRefused("amqp://u:%zzgeheim@rabbit", "%25");
        assertRefused("amqp://u:geheim@rabbit:port", "host:port");
        assertRefused("amqp://u:geheim@rabbit:0", "host:port");
        assertRefused("amqp://u:geheim@rabbit:70000", "host:port");
        assertRefused("amqp://u:geheim@rabbit?", "question mark");
        assertRefused("amqp://u:geheim@rabbit?timeout=5s", "timeout");
        assertRefused("amqp://u:geheim@rabbit?publish-timeout=soon", "publish-timeout");
        assertRefused("amqp://u:geheim@rabbit?publish-timeout=0s", "publish-timeout");
        assertRefused("amqp://u:geheim@rabbit?heartbeat=500ms", "heartbeat");
        assertRefused("amqp://u:geheim@rabbit?max-message-size=-1", "max-message-size");
        assertRefused("amqp://u:geheim@rabbit?exchange=" + "x".repeat(256), "exchange");
        assertThrows(IllegalArgumentException.class, () -> RabbitMqBroker.open("amqp://rabbit", ""));
    }

    private static void assertRefused(String url, String named) {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> RabbitMqBroker.open(url, "/x"), url)
                        .getMessage());
        assertTrue(message.contains(named), message);
        assertTrue(!message.contains("geheim"), message);
    }
}
