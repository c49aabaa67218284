package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import dev.semel.testkit.http.ScriptedUpstream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An upstream at several addresses: each has its turn, and one that cannot be reached is passed over. */
class UpstreamListTest {
    private static final int REQUESTS = 20;

    private static GatewayConfig config(int... ports) {
        StringBuilder urls = new StringBuilder();
        for (int port : ports)
            urls.append(urls.isEmpty() ? "" : ", ")
                    .append("\"http://127.0.0.1:")
                    .append(port)
                    .append('"');
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: [%s] }
            """.formatted(urls);
        return switch (ConfigReader.read(yaml, "list.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    /** On a connection of its own, so that any event loop may get it. */
    private static void send(Gateway gateway, int number) throws Exception {
        InetSocketAddress front = new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port());
        RawRequest charge = RawRequest.charge("/any/charges").header("X-Scenario", "list");
        Received received = RawHttp.exchange(
                front, number % 2 == 0 ? charge.noKey() : charge.key("k-" + number), Duration.ofSeconds(30));
        Received.Response answer = assertInstanceOf(Received.Response.class, received, received::toString);
        assertEquals(201, answer.status(), answer::text);
    }

    @Test
    void each_address_has_its_turn() throws Exception {
        try (ScriptedUpstream one = ScriptedUpstream.start();
                ScriptedUpstream two = ScriptedUpstream.start();
                Gateway gateway = Gateway.start(config(one.port(), two.port()), new InMemoryKeyStore())) {
            for (int i = 1; i <= REQUESTS; i++) {
                send(gateway, i);
                assertEquals((i + 1) / 2, one.ledger().effects("list"), "of " + i);
                assertEquals(i / 2, two.ledger().effects("list"), "of " + i);
            }
        }
    }

    @Test
    void where_nobody_listens_nothing_was_sent_and_the_next_is_asked() throws Exception {
        try (ScriptedUpstream up = ScriptedUpstream.start();
                Gateway gateway = Gateway.start(
                        config(up.backDoorPort(), up.port(), up.backDoorPort()), new InMemoryKeyStore())) {
            for (int i = 0; i < REQUESTS; i++) send(gateway, i);
            assertEquals(REQUESTS, up.ledger().effects("list"));
            assertTrue(up.ledger().complaints().isEmpty());
        }
    }
}
