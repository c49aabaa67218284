package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.semel.core.Semel;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.KeyId;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.Seen;
import dev.semel.http.key.WeakKeys;
import dev.semel.testkit.HandClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an attempt says after its key fell into doubt, or was freed, counts as long as nobody else was let in. */
class LateReportsTest {
    private static final Scope CHARGES = new Scope("", "POST /v1/charges", "POST /v1/charges");
    private static final KeyId ID = KeyId.of("", "POST /v1/charges", "k");
    private static final HttpRequest REQUEST =
            new HttpRequest("POST", "/v1/charges", null, Headers.NONE, "{}".getBytes(UTF_8));
    private static final RoutePolicy ONCE =
            RoutePolicy.DEFAULT.withClaims(ClaimPolicy.DEFAULT.withWaitFor(Duration.ZERO));

    private final HandClock clock = new HandClock();
    private final InMemoryKeyStore store = new InMemoryKeyStore(clock);
    private final Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start();
    private final Semel other = Semel.on(store).sweepEvery(Duration.ZERO).start();

    @AfterEach
    void close() {
        semel.close();
        other.close();
    }

    private static HttpResponse answer(Semel semel, Upstream<Void> upstream) {
        WeakKeys weakKeys = new WeakKeys(InstantSource.system(), finding -> {});
        return switch (new Guard(semel, weakKeys).answer(REQUEST, CHARGES, "k", ONCE, upstream)) {
            case Reply.Whole<Void> it -> it.response();
            case Reply.Streaming<Void> it -> throw new AssertionError("There is nothing to pass on.");
        };
    }

    private static Exchange<Void> created() {
        return new Exchange.Answered<>(new HttpResponse(201, Headers.NONE, new byte[0]));
    }

    private static Exchange<Void> neverCalled() {
        throw new AssertionError("It must not run again.");
    }

    @Test
    void nothing_was_sent_and_the_doubt_that_began_meanwhile_is_over() {
        HttpResponse unsent = answer(semel, attempt -> {
            clock.advance(Duration.ofHours(1));
            assertEquals(409, answer(other, second -> neverCalled()).status(), "in doubt by now");
            return new Exchange.NotSent<>("no connection");
        });
        assertEquals(502, unsent.status());
        assertEquals(201, answer(other, retry -> created()).status(), "the client was told that a retry is safe");
    }

    @Test
    void a_true_answer_counts_after_the_key_was_freed_by_force() {
        HttpResponse late = answer(semel, attempt -> {
            Seen seen = Objects.requireNonNull(store.find(ID));
            other.forceRelease(ID, seen.record().token(), "ops", "it hangs", Duration.ofHours(1));
            return created();
        });
        assertEquals(201, late.status());
        HttpResponse retry = answer(other, second -> neverCalled());
        assertEquals(201, retry.status());
        assertEquals("true", retry.headers().first("Idempotent-Replayed"));
    }

    @Test
    void nothing_was_sent_but_another_attempt_was_let_in_whose_outcome_counts() {
        HttpResponse unsent = answer(semel, attempt -> {
            Seen seen = Objects.requireNonNull(store.find(ID));
            other.forceRelease(ID, seen.record().token(), "ops", "it hangs", Duration.ofHours(1));
            assertEquals(201, answer(other, second -> created()).status());
            return new Exchange.NotSent<>("no connection");
        });
        assertEquals(201, unsent.status(), "not: the operation did not happen");
    }
}
