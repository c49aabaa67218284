package dev.semel.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.gateway.config.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that is given another configuration while it works. */
class ReloadTest {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<HttpServer> upstreams = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    private Gateway gateway;

    @AfterEach
    void stop() {
        if (gateway != null) gateway.close();
        upstreams.forEach(upstream -> upstream.stop(0));
        client.shutdownNow();
        threads.shutdownNow();
    }

    private HttpServer upstream(AtomicInteger effects, String name) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            effects.incrementAndGet();
            byte[] answer = name.getBytes(ISO_8859_1);
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        upstreams.add(server);
        return server;
    }

    private static GatewayConfig config(int upstream, String more) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: "http://127.0.0.1:%d" }
            """.formatted(upstream) + more;
        return switch (ConfigReader.read(yaml, "semel.yml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig valid) -> valid;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    private static GatewayConfig config(HttpServer upstream, String more) {
        return config(upstream.getAddress().getPort(), more);
    }

    private HttpRequest.Builder request(String scheme, String path) {
        return HttpRequest.newBuilder(URI.create(scheme + "://127.0.0.1:" + gateway.port() + path))
                .timeout(Duration.ofSeconds(30));
    }

    private HttpResponse<String> charge(HttpClient client, String scheme, String key) throws Exception {
        HttpRequest.Builder charge = request(scheme, "/v1/charges").POST(BodyPublishers.ofString("{}"));
        if (!key.isEmpty()) charge.header("Idempotency-Key", key);
        return client.send(charge.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> charge(String key) throws Exception {
        return charge(client, "http", key);
    }

    @Test
    void under_traffic_no_request_is_lost_or_refused_and_each_has_one_effect() throws Exception {
        AtomicInteger effects = new AtomicInteger();
        HttpServer one = upstream(effects, "one");
        HttpServer two = upstream(effects, "two");
        gateway = Gateway.start(config(one, ""), new InMemoryKeyStore());
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger sent = new AtomicInteger();
        Semaphore answered = new Semaphore(0);
        List<Future<List<String>>> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            boolean keyed = i % 2 == 0;
            clients.add(threads.submit(() -> {
                List<String> answers = new ArrayList<>();
                while (!over.get()) {
                    int number = sent.incrementAndGet();
                    HttpResponse<String> answer = charge(keyed ? "key-" + number : "");
                    answers.add(answer.statusCode() + " " + answer.body());
                    answered.release();
                }
                return answers;
            }));
        }
        for (int i = 0; i < 20; i++) {
            assertEquals(List.of(), gateway.reload(config(i % 2 == 0 ? two : one, "")));
            answered.drainPermits();
            assertTrue(answered.tryAcquire(20, 30, TimeUnit.SECONDS), "no answers any more");
        }
        over.set(true);
        List<String> answers = new ArrayList<>();
        for (Future<List<String>> each : clients) answers.addAll(each.get());
        assertEquals(
                List.of("201 one", "201 two"),
                answers.stream().distinct().sorted().toList());
        assertEquals(sent.get(), effects.get());
    }

    /** The upstream is a socket that tells when the gateway closes its end. */
    @Test
    void a_request_that_is_here_keeps_its_rules_and_its_connection_is_closed_after_it() throws Exception {
        HttpServer next = upstream(new AtomicInteger(), "next");
        try (ServerSocket slow = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Socket halfSent = new Socket()) {
            CountDownLatch answer = new CountDownLatch(1);
            CountDownLatch reached = new CountDownLatch(1);
            Future<Integer> afterwards = threads.submit(() -> answerOne(slow, reached, answer));
            gateway = Gateway.start(
                    config(slow.getLocalPort(), "routes: [{ match: 'POST /v1/charges' }]"), new InMemoryKeyStore());
            Future<HttpResponse<String>> first = threads.submit(() -> charge("first"));
            assertTrue(reached.await(30, TimeUnit.SECONDS), "never sent on");
            halfSent.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
            halfSent.getOutputStream()
                    .write("POST /v1/charges HTTP/1.1\r\nHost: h\r\nIdempotency-Key: half\r\nContent-Length: 2\r\n\r\n{"
                            .getBytes(ISO_8859_1));
            Future<HttpResponse<String>> waiting = threads.submit(() -> charge("first"));

            gateway.reload(config(next, "routes: [{ match: 'POST /v1/charges', retention: 1h }]"));
            HttpResponse<String> fresh = charge("fresh");
            assertEquals("next", fresh.body());
            assertTrue(keptFor(fresh).compareTo(Duration.ofMinutes(61)) < 0, fresh.headers()::toString);
            Future<Integer> again = threads.submit(() -> answerOne(slow, new CountDownLatch(1), answer));
            answer.countDown();
            assertEquals("slow", first.get().body());
            assertEquals("slow", waiting.get().body());
            assertTrue(
                    keptFor(first.get()).compareTo(Duration.ofHours(23)) > 0,
                    first.get().headers()::toString);
            halfSent.getOutputStream().write('}');
            assertEquals("HTTP/1.1 201", new String(halfSent.getInputStream().readNBytes(12), ISO_8859_1));
            assertEquals(-1, afterwards.get(), "the connection is kept");
            again.cancel(true);
        }
    }

    private static Duration keptFor(HttpResponse<String> answer) {
        String expires = answer.headers().firstValue("Idempotency-Expires").orElseThrow();
        return Duration.between(Instant.now(), ZonedDateTime.parse(expires, DateTimeFormatter.RFC_1123_DATE_TIME));
    }

    /** @return what comes after as many requests as come: -1 for the end of the connection */
    private static int answerOne(ServerSocket server, CountDownLatch reached, CountDownLatch answer) throws Exception {
        try (Socket socket = server.accept()) {
            socket.setSoTimeout(20_000);
            InputStream in = socket.getInputStream();
            while (true) {
                StringBuilder request = new StringBuilder();
                while (!request.toString().endsWith("{}")) {
                    int next = in.read();
                    if (next < 0) return next;
                    request.append((char) next);
                }
                reached.countDown();
                answer.await();
                socket.getOutputStream()
                        .write("HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\nslow".getBytes(ISO_8859_1));
            }
        }
    }

    @Test
    void what_cannot_be_used_changes_nothing_and_what_needs_a_restart_is_named() throws Exception {
        HttpServer up = upstream(new AtomicInteger(), "up");
        HttpServer other = upstream(new AtomicInteger(), "other");
        SelfSignedCertificate broken = SelfSignedCertificate.in(folder);
        Files.writeString(broken.certificate(), "no certificate");
        gateway = Gateway.start(config(up, ""), new InMemoryKeyStore());
        GatewayConfig bad = config(
                other.getAddress().getPort(),
                "routes: [{ match: 'POST /x', upstream: { url: 'https://127.0.0.1:9', trust: '" + broken.certificate()
                        + "' } }]");
        String why = String.valueOf(assertThrows(IllegalArgumentException.class, () -> gateway.reload(bad))
                .getMessage());
        assertTrue(why.contains(broken.certificate().toString()), why);
        assertEquals("up", charge("").body());

        String changed = """
            tenant: { header: X-Api-Key, quota: { keys: 5 } }
            store: rocksdb:./elsewhere
            limits: { head: 8KiB }
            routes: [{ match: POST /v1/charges, key: required }]
            """;
        assertEquals(List.of("store", "limits", "tenant.quota"), gateway.reload(config(other, changed)));
        assertEquals(400, charge("").statusCode());
        assertEquals(401, charge("without-tenant").statusCode());
        String published = client.send(
                        request("http", "/.well-known/idempotency").build(), BodyHandlers.ofString())
                .body();
        assertTrue(published.contains("POST /v1/charges"), published);
    }

    @Test
    void new_connections_get_the_new_certificate_and_a_key_of_another_is_refused() throws Exception {
        HttpServer up = upstream(new AtomicInteger(), "up");
        SelfSignedCertificate old = SelfSignedCertificate.in(Files.createDirectory(folder.resolve("old")));
        SelfSignedCertificate fresh = SelfSignedCertificate.in(Files.createDirectory(folder.resolve("new")));
        Path certificate = Files.copy(old.certificate(), folder.resolve("cert.pem"));
        Path key = Files.copy(old.key(), folder.resolve("key.pem"));
        GatewayConfig config = config(up, "").withTls(new TlsSettings(certificate, key));
        gateway = Gateway.start(config, new InMemoryKeyStore());
        try (HttpClient before = trusting(old.context())) {
            assertEquals(201, charge(before, "https", "a").statusCode());
            Files.copy(fresh.certificate(), certificate, StandardCopyOption.REPLACE_EXISTING);
            String why = String.valueOf(assertThrows(IllegalArgumentException.class, () -> gateway.reload(config))
                    .getMessage());
            assertTrue(why.contains("another certificate") && why.contains("key.pem"), why);
            try (HttpClient again = trusting(old.context())) {
                assertEquals(201, charge(again, "https", "b").statusCode());
            }
            Files.copy(fresh.key(), key, StandardCopyOption.REPLACE_EXISTING);
            gateway.reload(config);
            assertEquals(201, charge(before, "https", "c").statusCode(), "an open connection goes on");
            for (int i = 0; i < 4; i++)
                try (HttpClient after = trusting(fresh.context());
                        HttpClient late = trusting(old.context())) {
                    HttpResponse<String> answer = charge(after, "https", "d" + i);
                    assertEquals(201, answer.statusCode());
                    assertEquals(HttpClient.Version.HTTP_2, answer.version());
                    assertThrows(SSLHandshakeException.class, () -> charge(late, "https", "e"));
                }
        }
    }

    private static HttpClient trusting(SSLContext context) {
        return HttpClient.newBuilder().sslContext(context).build();
    }
}
