package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.HostPort;
import dev.semel.gateway.config.TlsSettings;
import dev.semel.gateway.config.UpstreamSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TransportTest {
    private final AtomicInteger effects = new AtomicInteger();

    @TempDir
    Path folder;

    private HttpServer upstream;
    private Gateway gateway;

    @AfterEach
    void stop() {
        if (gateway != null) gateway.close();
        if (upstream != null) upstream.stop(0);
    }

    private URI serve(HttpServer server, String scheme) {
        upstream = server;
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] answer = ("effect " + effects.incrementAndGet()).getBytes();
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        return URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort());
    }

    private URI plainUpstream() throws Exception {
        return serve(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0), "http");
    }

    private void start(URI url, @Nullable TlsSettings tls, @Nullable Path trust) {
        UpstreamSettings settings =
                new UpstreamSettings(List.of(url), Duration.ofSeconds(5), Duration.ofSeconds(10), trust, true);
        HostPort anywhere = new HostPort("127.0.0.1", 0);
        GatewayConfig config = GatewayConfig.of(settings)
                .withListen(anywhere)
                .withAdmin(anywhere)
                .withTls(tls)
                .acceptingLostKeys();
        gateway = Gateway.start(config, new InMemoryKeyStore());
    }

    private HttpResponse<String> post(HttpClient client, String scheme, String key) throws Exception {
        URI url = URI.create(scheme + "://127.0.0.1:" + gateway.port() + "/v1/charges");
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Idempotency-Key", key)
                .timeout(Duration.ofSeconds(30))
                .POST(BodyPublishers.ofString("{\"amount\":1}"))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private void oneEffect(HttpClient client, String scheme, HttpClient.Version version) throws Exception {
        String key = UUID.randomUUID().toString();
        HttpResponse<String> first = post(client, scheme, key);
        assertEquals(201, first.statusCode(), first.body());
        assertEquals(version, first.version());
        HttpResponse<String> again = post(client, scheme, key);
        assertEquals("effect 1", again.body());
        assertEquals("true", again.headers().firstValue("Idempotent-Replayed").orElse("no"));
        assertEquals(1, effects.get());
    }

    @Test
    void http_2_in_the_clear_is_guarded_like_http_1() throws Exception {
        start(plainUpstream(), null, null);
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
            oneEffect(client, "http", HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void clients_may_come_over_tls_and_speak_either_version() throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.in(folder);
        start(plainUpstream(), new TlsSettings(own.certificate(), own.key()), null);
        for (HttpClient.Version version : HttpClient.Version.values()) {
            if (version.name().equals("HTTP_3")) continue;
            effects.set(0);
            try (HttpClient client = HttpClient.newBuilder()
                    .sslContext(own.context())
                    .version(version)
                    .build()) {
                oneEffect(client, "https", version);
            }
        }
    }

    @Test
    void the_upstream_may_be_reached_over_tls() throws Exception {
        SelfSignedCertificate own = SelfSignedCertificate.in(folder);
        start(tlsUpstream(own), null, own.certificate());
        try (HttpClient client = HttpClient.newHttpClient()) {
            oneEffect(client, "http", HttpClient.Version.HTTP_2);
        }
    }

    @Test
    void an_upstream_that_is_not_trusted_gets_nothing_and_the_key_stays_free() throws Exception {
        start(tlsUpstream(SelfSignedCertificate.in(folder)), null, null);
        try (HttpClient client = HttpClient.newHttpClient()) {
            String key = UUID.randomUUID().toString();
            for (int attempt = 0; attempt < 2; attempt++) {
                HttpResponse<String> refused = post(client, "http", key);
                assertEquals(502, refused.statusCode());
                assertTrue(refused.body().contains("urn:semel:problem:upstream-unreachable"), refused.body());
            }
            assertEquals(0, effects.get());
        }
    }

    private URI tlsUpstream(SelfSignedCertificate own) throws Exception {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(own.context()));
        return serve(server, "https");
    }
}
