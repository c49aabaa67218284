package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.core.Semel;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.http.key.WeakKeys;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Writes of one resource that are on their way at the same time, some of which come to nothing. */
class OverlappingWritesTest {
    private static final Scope ACCOUNTS = new Scope("", "PUT /v1/accounts/{id}", "PUT /v1/accounts/{id}");
    private static final RoutePolicy ORDERED = new RoutePolicy(
            KeyMode.OFF,
            KeyRule.DEFAULT,
            RoutePolicy.DEFAULT.claims(),
            StatusRules.DEFAULT,
            RequestFingerprint.DEFAULT,
            HeaderRules.DEFAULT,
            null,
            new OrderRule(VersionSource.parse("header:If-Match"), OrderRule.DEFAULT_KEEP, false),
            1 << 20,
            4 << 20);

    private final Semel semel =
            Semel.on(new InMemoryKeyStore()).sweepEvery(Duration.ZERO).start();

    @AfterEach
    void close() {
        semel.close();
    }

    private int put(int version, Upstream<Void> upstream) {
        Headers headers = Headers.NONE.with("If-Match", Integer.toString(version));
        HttpRequest request = new HttpRequest("PUT", "/v1/accounts/7", null, headers, "{}".getBytes(UTF_8));
        WeakKeys weakKeys = new WeakKeys(InstantSource.system(), finding -> {});
        return switch (new Guard(semel, weakKeys).answer(request, ACCOUNTS, null, ORDERED, upstream)) {
            case Reply.Whole<Void> it -> it.response().status();
            case Reply.Streaming<Void> it -> throw new AssertionError("There is nothing to pass on.");
        };
    }

    private static Exchange<Void> answered(int status) {
        return new Exchange.Answered<>(new HttpResponse(status, Headers.NONE, new byte[0]));
    }

    @Test
    void a_write_that_is_refused_does_not_take_the_place_of_its_twin_that_was_applied() {
        assertEquals(200, put(5, attempt -> answered(200)));
        int refused = put(7, attempt -> {
            assertEquals(200, put(7, twin -> answered(200)));
            return answered(503);
        });
        assertEquals(503, refused);
        assertEquals(409, put(6, attempt -> answered(200)), "7 was applied");
    }

    @Test
    void two_that_overlap_and_are_both_refused_stand_in_nobodys_way() throws Exception {
        assertEquals(200, put(5, attempt -> answered(200)));
        CompletableFuture<Void> eightIsOnItsWay = new CompletableFuture<>();
        CompletableFuture<Void> sevenIsOnItsWay = new CompletableFuture<>();
        CompletableFuture<Integer> seven = CompletableFuture.supplyAsync(() -> put(7, attempt -> {
            sevenIsOnItsWay.complete(null);
            eightIsOnItsWay.join();
            return answered(503);
        }));
        sevenIsOnItsWay.get(30, TimeUnit.SECONDS);
        int eight = put(8, attempt -> {
            eightIsOnItsWay.complete(null);
            assertEquals(503, seven.join());
            return answered(503);
        });
        assertEquals(503, eight);
        assertEquals(200, put(6, attempt -> answered(200)), "nothing was let through");
    }
}
