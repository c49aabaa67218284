package dev.semel.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.memory.InMemoryKeyStore;
import dev.semel.core.store.ForwardingKeyStore;
import dev.semel.core.store.KeyStore;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.core.store.StoreTraits;
import dev.semel.http.key.WeakKeys;
import dev.semel.testkit.FlakyKeyStore;
import dev.semel.testkit.FlakyKeyStore.Fault;
import dev.semel.testkit.HandClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GuardTest {
    private static final Scope CHARGES = new Scope("", "POST /v1/charges", "POST /v1/charges");
    private static final KeyId ID = KeyId.of(CHARGES.tenant(), CHARGES.operation(), "k");
    private static final HttpRequest REQUEST =
            new HttpRequest("POST", "/v1/charges", null, Headers.NONE, "{}".getBytes(UTF_8));
    private static final RoutePolicy AT_MOST_ONCE = RoutePolicy.DEFAULT;
    private static final RoutePolicy AT_LEAST_ONCE =
            RoutePolicy.DEFAULT.withClaims(ClaimPolicy.DEFAULT.withGuarantee(Guarantee.AT_LEAST_ONCE));

    @Test
    void what_was_sent_is_never_said_not_to_have_been() {
        HandClock clock = new HandClock();
        FlakyKeyStore store = new FlakyKeyStore(new InMemoryKeyStore(clock));
        try (Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start();
                Semel other = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
            HttpResponse answer = answer(semel, attempt -> {
                clock.advance(Duration.ofHours(1));
                assertEquals(201, answer(other, second -> created()).status());
                store.failReads(Fault.REFUSED);
                return created();
            });
            assertEquals(409, answer.status());
            assertTrue(new String(answer.body(), UTF_8).contains("urn:semel:problem:outcome-unknown"));
        }
    }

    @Test
    void an_answer_that_is_too_large_for_the_store_is_passed_on_and_recorded_without_its_body() {
        KeyStore small = new ForwardingKeyStore(new InMemoryKeyStore()) {
            @Override
            public StoreTraits traits() {
                return super.traits().withLargestOutcome(1000);
            }
        };
        try (Semel semel = Semel.on(small).sweepEvery(Duration.ZERO).start()) {
            Headers headers = Headers.NONE.with("X-Receipt", "r-1");
            HttpResponse large = new HttpResponse(201, headers, new byte[1000]);
            HttpResponse first = answer(semel, attempt -> new Exchange.Answered<>(large));
            assertEquals(1000, first.body().length);
            HttpResponse replay = answer(semel, attempt -> {
                throw new AssertionError("it ran again");
            });
            assertEquals("201 r-1", replay.status() + " " + replay.headers().first("X-Receipt"));
            assertTrue(new String(replay.body(), UTF_8).contains("urn:semel:problem:response-not-kept"));
        }
    }

    /** Whatever an upstream throws, and whatever its type says: by then the request may have been sent. */
    @Test
    void an_exception_from_the_upstream_is_never_told_as_nothing_was_sent() {
        StoreException lost = StoreException.notApplied("a store of the upstream's own", null);
        try (Semel semel = Semel.on(new InMemoryKeyStore(new HandClock()))
                .sweepEvery(Duration.ZERO)
                .start()) {
            StoreException thrown = assertThrows(
                    StoreException.class,
                    () -> answer(semel, AT_MOST_ONCE, attempt -> {
                        throw lost;
                    }));
            assertSame(lost, thrown, "for the caller, who answers internal-error");

            Seen left = Objects.requireNonNull(semel.find(ID));
            assertInstanceOf(KeyState.InDoubt.class, left.record().state());
            HttpResponse retry = answer(semel, AT_MOST_ONCE, attempt -> created());
            assertEquals(409, retry.status());
            assertTrue(new String(retry.body(), UTF_8).contains("urn:semel:problem:outcome-unknown"));
        }
    }

    @Test
    void a_claim_that_the_store_does_not_take_is_refused_and_nothing_is_sent() {
        FlakyKeyStore store = new FlakyKeyStore(new InMemoryKeyStore(new HandClock()));
        try (Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
            store.down(true);
            HttpResponse answer = answer(semel, AT_MOST_ONCE, attempt -> {
                throw new AssertionError("It must not be sent.");
            });
            assertEquals(503, answer.status());
            assertTrue(new String(answer.body(), UTF_8).contains("urn:semel:problem:store-unavailable"));
            store.down(false);
        }
    }

    /** Its key was forgotten meanwhile and is another request's by now, whose outcome is nobody else's business. */
    @Test
    void an_attempt_that_outsleeps_its_key_is_not_told_the_outcome_of_another_request() {
        HandClock clock = new HandClock();
        InMemoryKeyStore store = new InMemoryKeyStore(clock);
        HttpRequest another = new HttpRequest("POST", "/v1/charges", null, Headers.NONE, "{\"a\":1}".getBytes(UTF_8));
        try (Semel semel = Semel.on(store).sweepEvery(Duration.ZERO).start();
                Semel other = Semel.on(store).sweepEvery(Duration.ZERO).start()) {
            HttpResponse answer = answer(semel, attempt -> {
                clock.advance(Duration.ofHours(1));
                assertEquals(201, answer(other, second -> created()).status());
                clock.advance(Duration.ofDays(400));
                assertEquals(201, answer(other, another, third -> created()).status());
                return created();
            });
            assertEquals(409, answer.status());
            assertTrue(new String(answer.body(), UTF_8).contains("urn:semel:problem:outcome-unknown"));
        }
    }

    @Test
    void an_outcome_that_was_told_as_json_is_replayed_as_json() {
        try (Semel semel = Semel.on(new InMemoryKeyStore(new HandClock()))
                .sweepEvery(Duration.ZERO)
                .start()) {
            ClaimRequest claim =
                    new ClaimRequest(ID, RequestFingerprint.DEFAULT.of(REQUEST), ClaimPolicy.DEFAULT).forRemoteHolder();
            Claim.Granted granted = assertInstanceOf(Claim.Granted.class, semel.claim(claim));
            semel.remoteLease(ID, granted.lease().token(), ClaimPolicy.DEFAULT)
                    .complete(JsonOutcome.of("{ \"charge\": \"ch_1\" }"));

            HttpResponse answer = answer(semel, attempt -> created());
            assertEquals(200, answer.status());
            assertEquals("application/json", answer.headers().first("Content-Type"));
            assertEquals("true", answer.headers().first("Idempotent-Replayed"));
            assertEquals("{ \"charge\": \"ch_1\" }", new String(answer.body(), UTF_8));
        }
    }

    @Test
    void weak_keys_are_told_of_once_for_a_route_however_many_paths_it_covers() {
        List<WeakKeys.Finding> told = new ArrayList<>();
        WeakKeys weakKeys = new WeakKeys(InstantSource.system(), told::add);
        try (Semel semel =
                Semel.on(new InMemoryKeyStore()).sweepEvery(Duration.ZERO).start()) {
            for (String customer : List.of("ann", "bob"))
                new Guard(semel, weakKeys)
                        .answer(
                                REQUEST,
                                new Scope("", "POST /v1/" + customer, "POST /v1/**"),
                                "k",
                                AT_LEAST_ONCE,
                                attempt -> created());
        }
        assertEquals(List.of(new WeakKeys.Finding(WeakKeys.Kind.SHORT, "POST /v1/**", "a")), told);
        assertEquals(2, weakKeys.count(WeakKeys.Kind.SHORT));
    }

    private static HttpResponse answer(Semel semel, Upstream<Void> upstream) {
        return answer(semel, REQUEST, AT_LEAST_ONCE, upstream);
    }

    private static HttpResponse answer(Semel semel, HttpRequest request, Upstream<Void> upstream) {
        return answer(semel, request, AT_LEAST_ONCE, upstream);
    }

    private static HttpResponse answer(Semel semel, RoutePolicy policy, Upstream<Void> upstream) {
        return answer(semel, REQUEST, policy, upstream);
    }

    private static HttpResponse answer(Semel semel, HttpRequest request, RoutePolicy policy, Upstream<Void> upstream) {
        return switch (new Guard(semel, weakKeys()).answer(request, CHARGES, "k", policy, upstream)) {
            case Reply.Whole<Void> it -> it.response();
            case Reply.Streaming<Void> it -> throw new AssertionError("There is nothing to pass on.");
        };
    }

    private static WeakKeys weakKeys() {
        return new WeakKeys(InstantSource.system(), finding -> {});
    }

    private static Exchange<Void> created() {
        return new Exchange.Answered<>(new HttpResponse(201, Headers.NONE, new byte[0]));
    }
}
