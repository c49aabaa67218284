package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.sun.net.httpserver.HttpServer;
import dev.semel.admin.JsonTree;
import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.gateway.config.AdminSettings;
import dev.semel.gateway.config.ConfigReader;
import dev.semel.gateway.config.GatewayConfig;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.HandClock;
import dev.semel.testkit.http.ProblemForm;
import dev.semel.testkit.http.RawHttp;
import dev.semel.testkit.http.RawRequest;
import dev.semel.testkit.http.Received;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A gateway with an upstream that may die, and another process on the same store. Everything ends when it is closed. */
final class AdminScene implements AutoCloseable {
    static final String CHARGES = "POST /v1/charges";

    /** Kept for 7 days, and refused for 90 more. */
    static final String REFUNDS = "POST /v1/refunds";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});

    final HandClock clock = new HandClock();
    final FlakyKeyStore store = new FlakyKeyStore(new InMemoryKeyStore(clock));
    final Semel elsewhere = Semel.on(store).sweepEvery(Duration.ZERO).start();
    final List<Long> tokensSent = new CopyOnWriteArrayList<>();
    volatile boolean upstreamDies;
    private final HttpServer upstream;
    private final Gateway gateway;

    private AdminScene(@Nullable String token) throws Exception {
        this.upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        upstream.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            tokensSent.add(Long.parseLong(exchange.getRequestHeaders().getFirst("Semel-Fencing-Token")));
            if (upstreamDies) {
                exchange.close();
                return;
            }
            byte[] answer = ("effect " + tokensSent.size()).getBytes();
            exchange.sendResponseHeaders(201, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        upstream.start();
        this.gateway = Gateway.start(config(token), store);
    }

    static AdminScene open() throws Exception {
        return new AdminScene(null);
    }

    static AdminScene withToken(String token) throws Exception {
        return new AdminScene(token);
    }

    private GatewayConfig config(@Nullable String token) {
        String yaml = """
            listen: 127.0.0.1:0
            admin: { listen: 127.0.0.1:0 }
            accept-lost-keys: true
            upstream: { url: http://127.0.0.1:%d }
            routes:
              - match: POST /v1/charges
                in-flight: reject
              - match: POST /v1/refunds
                retention: 7d
                tombstone: 90d
            """.formatted(upstream.getAddress().getPort());
        GatewayConfig config = switch (ConfigReader.read(yaml, "semel.yml", name -> null, null)) {
            case ConfigReader.Result.Valid(GatewayConfig valid) -> valid;
            case ConfigReader.Result.Invalid(var problems) -> throw new AssertionError(problems);
        };
        AdminSettings admin = config.admin();
        return config.withAdmin(token == null ? admin : admin.withToken(token));
    }

    int adminPort() {
        return gateway.adminPort();
    }

    Received.Response charge(String key) throws Exception {
        return exchange(gateway.port(), RawRequest.charge("/v1/charges").key(key));
    }

    Received.Response api(RawRequest request) throws Exception {
        return exchange(gateway.port(), request);
    }

    Received.Response admin(RawRequest request) throws Exception {
        return exchange(gateway.adminPort(), request);
    }

    private static Received.Response exchange(int port, RawRequest request) throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        Received received = RawHttp.exchange(address, request, TIMEOUT);
        return assertInstanceOf(Received.Response.class, received, received::toString);
    }

    Map<?, ?> get(String target) throws Exception {
        return json(200, admin(RawRequest.get(target)));
    }

    Map<?, ?> get(int status, String target) throws Exception {
        return json(status, admin(RawRequest.get(target)));
    }

    Map<?, ?> post(int status, String target, String body) throws Exception {
        return json(status, admin(RawRequest.post(target).json(body)));
    }

    static Map<?, ?> json(int status, Received.Response response) {
        assertEquals(status, response.status(), response::toString);
        String type = response.headers().first("Content-Type");
        assertEquals(status < 400 ? "application/json" : "application/problem+json", type);
        if (status >= 400) ProblemForm.check(response.text());
        return JsonTree.readObject(response.body());
    }

    static String problem(Map<?, ?> answer) {
        return String.valueOf(answer.get("type")).replace("urn:semel:problem:", "");
    }

    /** A charge whose answer was lost. */
    void doubt(String key) throws Exception {
        upstreamDies = true;
        assertEquals(502, charge(key).status());
        upstreamDies = false;
    }

    /** A claim of another process. */
    Lease held(String tenant, String operation, String key) {
        return held(elsewhere, tenant, operation, key);
    }

    static Lease held(Semel process, String tenant, String operation, String key) {
        ClaimRequest request = new ClaimRequest(KeyId.of(tenant, operation, key), ASKED, ClaimPolicy.DEFAULT);
        return assertInstanceOf(Claim.Granted.class, process.claim(request)).lease();
    }

    @Override
    public void close() {
        elsewhere.close();
        gateway.close();
        upstream.stop(0);
    }
}
