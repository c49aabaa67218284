package dev.semel.store.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.WaitLimits;
import dev.semel.core.key.Outcome;
import dev.semel.testkit.redis.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who waits in one process for what another does. */
@Timeout(60)
@ExtendWith(SharedServer.class)
class RedisNewsTest {
    private static final Duration HARDLY_EVER = Duration.ofSeconds(30);
    private static final ClaimPolicy PATIENT = ClaimPolicy.DEFAULT.withWaitFor(Duration.ofSeconds(50));
    private static final Outcome CHARGED = Keys.outcome("charged");

    private final ClaimRequest request =
            new ClaimRequest(Keys.id(UUID.randomUUID().toString()), Keys.FINGERPRINT, PATIENT);
    private final List<AutoCloseable> open = new ArrayList<>();
    private final String url = SharedServer.freshUrl();

    private Semel semel(Duration lookEvery) {
        RedisKeyStore store = RedisKeyStore.open(url, RedisContractTest.LONG_TIMEOUTS);
        open.addFirst(store);
        Semel semel = Semel.on(store)
                .waitLimits(new WaitLimits(256, 10_000, lookEvery))
                .sweepEvery(Duration.ZERO)
                .start();
        open.addFirst(semel);
        return semel;
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) each.close();
    }

    private CompletableFuture<Claim> waiter(Semel semel) {
        return CompletableFuture.supplyAsync(
                () -> semel.claim(request), task -> Thread.ofVirtual().start(task));
    }

    @Test
    void a_waiter_of_another_process_is_woken_long_before_it_would_look() throws Exception {
        Semel holding = semel(HARDLY_EVER);
        Semel waiting = semel(HARDLY_EVER);
        Lease lease =
                assertInstanceOf(Claim.Granted.class, holding.claim(request)).lease();
        CompletableFuture<Claim> waiter = waiter(waiting);
        awaitSubscribers(1);
        long began = System.nanoTime();
        lease.complete(CHARGED);
        Claim told = waiter.get(50, TimeUnit.SECONDS);
        long millis = (System.nanoTime() - began) / 1_000_000;
        assertEquals(CHARGED, assertInstanceOf(Claim.AlreadyDone.class, told).outcome());
        assertTrue(millis < 1000, "woken after " + millis + " ms, on a machine that may be busy");
        awaitSubscribers(0);
    }

    @Test
    void news_that_is_lost_costs_no_more_than_the_next_look() throws Exception {
        Semel holding = semel(HARDLY_EVER);
        Semel waiting = semel(Duration.ofMillis(100));
        Lease lease =
                assertInstanceOf(Claim.Granted.class, holding.claim(request)).lease();
        CompletableFuture<Claim> waiter = waiter(waiting);
        awaitSubscribers(1);
        SharedServer.get().call("CLIENT", "KILL", "TYPE", "pubsub");
        lease.complete(CHARGED);
        assertInstanceOf(Claim.AlreadyDone.class, waiter.get(50, TimeUnit.SECONDS));
    }

    /** On the channel of this key's record. */
    private void awaitSubscribers(int count) {
        String channel = Keys.name(url.substring(url.indexOf('=') + 1), request.id());
        RedisServer server = SharedServer.get();
        while (!List.of(channel, (long) count).equals(server.call("PUBSUB", "SHARDNUMSUB", channel)))
            LockSupport.parkNanos(1_000_000);
    }
}
