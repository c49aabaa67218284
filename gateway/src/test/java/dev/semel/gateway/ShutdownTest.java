package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Seen;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A gateway that is stopped while it still holds an outcome that its store has not taken. */
class ShutdownTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final FlakyKeyStore store = new FlakyKeyStore(new InMemoryKeyStore());
    private final HttpServer upstream = upstream();

    private static HttpServer upstream() {
        try {
            return HttpServer.create(new InetSocketAddress(LOOPBACK, 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Charges, and while it does, the store is lost. */
    @BeforeEach
    void start() {
        upstream.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            store.down(true);
            exchange.sendResponseHeaders(201, -1);
            exchange.close();
        });
        upstream.start();
    }

    @AfterEach
    void stop() {
        upstream.stop(0);
    }

    private GatewayConfig config() {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: "http://127.0.0.1:%d" }
            """.formatted(upstream.getAddress().getPort());
        return switch (ConfigReader.read(yaml, "shutdown.yaml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig config) -> config;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    @Test
    void records_what_it_holds_when_the_store_comes_back_before_the_grace_is_over() throws Exception {
        try (Gateway gateway = Gateway.start(config(), store)) {
            InetSocketAddress front = new InetSocketAddress(LOOPBACK, gateway.port());
            Received told =
                    RawHttp.exchange(front, RawRequest.charge("/v1/charges").key("k"), Duration.ofSeconds(30));
            assertEquals(504, assertInstanceOf(Received.Response.class, told).status());
            CompletableFuture<Void> closing = CompletableFuture.runAsync(gateway::close);
            assertThrows(TimeoutException.class, () -> closing.get(1, TimeUnit.SECONDS), "it waits for its store");
            store.down(false);
            closing.get(30, TimeUnit.SECONDS);
        }
        Seen seen = Objects.requireNonNull(store.find(KeyId.of("", "POST /v1/charges", "k")));
        assertInstanceOf(KeyState.Done.class, seen.record().state());
    }
}
