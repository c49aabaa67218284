package dev.semel.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Fingerprint;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.Outcome;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.time.HandTime;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.ResponseCodec;
import dev.semel.http.StoredResponse;
import dev.semel.http.key.WeakKeys;
import dev.semel.testkit.http.ProblemForm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The admin API on a store in memory whose time is moved by hand: no gateway, no socket. */
final class AdminDesk implements AutoCloseable {
    static final String KEYS = "/admin/v1/keys";
    static final String CHARGES = "POST /v1/charges";

    /** Kept for 7 days, and refused for 90 more. */
    static final String REFUNDS = "POST /v1/refunds";

    static final ClaimPolicy LONG_KEPT =
            ClaimPolicy.DEFAULT.withRetention(Duration.ofDays(7)).withTombstone(Duration.ofDays(90));

    private static final Fingerprint ASKED = Fingerprint.of(Fingerprint.Algorithm.REQUEST, new byte[] {1});

    final HandTime time = new HandTime();
    final List<AuditEntry> audit = new ArrayList<>();
    final WeakKeys weakKeys = new WeakKeys(time.clock(), finding -> {});
    final Semel semel;
    private final KeyStore store;
    private final AdminApi api;

    private AdminDesk(UnaryOperator<KeyStore> front) {
        this.store = front.apply(new InMemoryKeyStore(time.clock()));
        this.semel = Semel.on(store).time(time).sweepEvery(Duration.ZERO).start();
        this.api = new AdminApi(
                semel,
                () -> List.of(CHARGES, REFUNDS),
                id -> id.operation().equals(REFUNDS) ? LONG_KEPT : null,
                weakKeys,
                audit::add);
    }

    static AdminDesk open() {
        return new AdminDesk(store -> store);
    }

    /** @param front stands before the store */
    static AdminDesk behind(UnaryOperator<KeyStore> front) {
        return new AdminDesk(front);
    }

    HttpResponse answer(String method, String target, String body) {
        String[] parts = target.split("\\?", 2);
        String query = parts.length == 1 ? null : parts[1];
        return api.answer(new HttpRequest(method, parts[0], query, Headers.NONE, body.getBytes(UTF_8)));
    }

    Map<?, ?> get(String target) {
        return json(200, answer("GET", target, ""));
    }

    Map<?, ?> get(int status, String target) {
        return json(status, answer("GET", target, ""));
    }

    Map<?, ?> post(int status, String target, String body) {
        return json(status, answer("POST", target, body));
    }

    static Map<?, ?> json(int status, HttpResponse answer) {
        String text = new String(answer.body(), UTF_8);
        assertEquals(status, answer.status(), text);
        assertEquals(
                status < 400 ? "application/json" : "application/problem+json",
                answer.headers().first("Content-Type"));
        assertEquals("no-store", answer.headers().first("Cache-Control"));
        if (status >= 400) ProblemForm.check(text);
        return JsonTree.readObject(answer.body());
    }

    static String problem(Map<?, ?> answer) {
        return String.valueOf(answer.get("type")).replace("urn:semel:problem:", "");
    }

    static String detail(Map<?, ?> answer) {
        return String.valueOf(answer.get("detail"));
    }

    static List<?> list(Map<?, ?> answer, String name) {
        return assertInstanceOf(List.class, answer.get(name), answer::toString);
    }

    static List<String> history(Map<?, ?> story) {
        List<String> remarks = new ArrayList<>();
        for (Object remark : list(story, "history")) {
            Map<?, ?> members = (Map<?, ?>) remark;
            remarks.add(members.get("by") + ": " + members.get("what"));
        }
        return remarks;
    }

    /** What the audit was told, a line each. */
    List<String> audited() {
        return audit.stream()
                .map(it ->
                        it.by() + " | " + it.operation() + " | " + it.token() + " | " + it.what() + " | " + it.reason())
                .toList();
    }

    /** An attempt that runs in this process. */
    Lease held(String tenant, String operation, String key) {
        return granted(new ClaimRequest(KeyId.of(tenant, operation, key), ASKED, ClaimPolicy.DEFAULT));
    }

    Lease held(String key) {
        return held("", CHARGES, key);
    }

    private Lease granted(ClaimRequest request) {
        return assertInstanceOf(Claim.Granted.class, semel.claim(request)).lease();
    }

    /** An attempt of a client of the service API, whose lease nobody here renews. */
    long heldElsewhere(String operation, String key) {
        ClaimRequest request = new ClaimRequest(KeyId.of("", operation, key), ASKED, ClaimPolicy.DEFAULT);
        return granted(request.forRemoteHolder()).token();
    }

    /** A charge that was answered. */
    void done(String tenant, String operation, String key, String body) {
        Headers headers = Headers.NONE.with("Content-Type", "text/plain");
        HttpResponse response = new HttpResponse(201, headers, body.getBytes(UTF_8));
        Outcome outcome = ResponseCodec.encode(StoredResponse.whole(response));
        accepted(held(tenant, operation, key).complete(outcome));
    }

    void done(String key) {
        done("", CHARGES, key, "effect 1");
    }

    /** A charge whose answer was lost. */
    Lease doubt(String operation, String key) {
        Lease lease = held("", operation, key);
        accepted(lease.doubt("the answer was lost"));
        return lease;
    }

    Lease doubt(String key) {
        return doubt(CHARGES, key);
    }

    void freed(String key) {
        accepted(held(key).release());
    }

    static void accepted(Settlement settlement) {
        assertInstanceOf(Settlement.Accepted.class, settlement);
    }

    @Override
    public void close() {
        semel.close();
        store.close();
    }
}
