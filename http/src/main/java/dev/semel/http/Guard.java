package dev.semel.http;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.claim.Settlement;
import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import dev.semel.http.key.WeakKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What {@code Idempotency-Key} means: the only place that knows. Lets one attempt of a key through to the upstream,
 * records its answer, and gives that answer to all others.
 *
 * <p>Safe for use by any thread; blocks, and is meant for virtual threads. When a reply is returned, what it says is
 * durable.
 */
public final class Guard {
    private static final String EXPIRES = "Idempotency-Expires";

    private final Semel semel;
    private final WriteOrderGuard writes;
    private final WeakKeys weakKeys;

    public Guard(Semel semel, WeakKeys weakKeys) {
        this.semel = semel;
        this.writes = new WriteOrderGuard(semel.store());
        this.weakKeys = weakKeys;
    }

    /** Decides by the head alone whether a request is guarded. */
    public static Admission admit(String method, Headers headers, RoutePolicy policy) {
        if (isSafe(method)) return new Admission.Pass();
        if (policy.key() == KeyMode.OFF) return unguarded(policy);
        if (policy.keys().source().needsBody()) return new Admission.Buffer(null);
        return switch (policy.keys().ofHead(headers, Instant.now())) {
            case KeyRule.Decision.Key it -> new Admission.Buffer(it.key());
            case KeyRule.Decision.Refused it -> new Admission.Refused(expiring(it.answer(), policy));
            case KeyRule.Decision.None it ->
                policy.key() == KeyMode.REQUIRED
                        ? new Admission.Refused(Problem.keyMissing(policy.keys().source()))
                        : unguarded(policy);
        };
    }

    private static Admission unguarded(RoutePolicy policy) {
        return policy.order() == null ? new Admission.Pass() : new Admission.Buffer(null);
    }

    /** Whether requests with this method change nothing, and pass. */
    public static boolean isSafe(String method) {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }

    /**
     * Answers a request that was taken in: by letting it through, if it is the first, or by what became of the first.
     *
     * @param key as its head told; null when the head told none
     */
    public <B> Reply<B> answer(
            HttpRequest request, Scope scope, @Nullable String key, RoutePolicy policy, Upstream<B> upstream) {
        return switch (enter(request, scope, key, policy)) {
            case Entrance.Answered(HttpResponse response, Ending ending) -> new Reply.Whole<>(response, ending);
            case Entrance.Open(Passage passage) -> {
                try (passage) {
                    yield passage.settle(upstream.send(passage.attempt()));
                }
            }
        };
    }

    /**
     * The first half of {@link #answer}, for whoever has to say in the middle of its work what became of it: everything
     * that comes before the request is sent.
     *
     * @param key as its head told; null when the head told none
     */
    public Entrance enter(HttpRequest request, Scope scope, @Nullable String key, RoutePolicy policy) {
        WriteOrderGuard.Write write = null;
        if (policy.order() != null) {
            switch (WriteOrderGuard.read(request, scope, policy.order())) {
                case WriteOrderGuard.Reading.Ordered it -> write = it.write();
                case WriteOrderGuard.Reading.Refused it -> {
                    return closed(key == null ? it.answer() : expiring(it.answer(), policy));
                }
            }
        }
        if (key != null) return keyed(request, scope, key, policy, write);
        if (policy.key() == KeyMode.OFF) return withoutKey(write, policy);
        return switch (policy.keys().of(request, Instant.now())) {
            case KeyRule.Decision.Key it -> keyed(request, scope, it.key(), policy, write);
            case KeyRule.Decision.Refused it -> closed(expiring(it.answer(), policy));
            case KeyRule.Decision.None it ->
                policy.key() == KeyMode.REQUIRED
                        ? closed(Problem.keyMissing(policy.keys().source()))
                        : withoutKey(write, policy);
        };
    }

    private Entrance keyed(
            HttpRequest request, Scope scope, String key, RoutePolicy policy, WriteOrderGuard.@Nullable Write write) {
        KeyId id;
        try {
            id = KeyId.of(scope.tenant(), scope.operation(), key);
        } catch (IllegalArgumentException e) {
            return closed(Problem.badRequest("its path is too long for an operation with a key"));
        }
        ClaimRequest claimRequest = new ClaimRequest(id, policy.fingerprint().of(request), policy.claims())
                .withMemo(UpstreamProbe.memo(policy.probe(), key, request));
        Claim claim;
        try {
            // Nothing but the claim in here: the answer below says that nothing was sent.
            claim = semel.claim(claimRequest);
        } catch (StoreException e) {
            return closed(expiring(Problem.storeUnavailable(), policy));
        }
        return switch (claim) {
            case Claim.Granted it -> letThrough(it.lease(), scope.route(), policy, write);
            case Claim.AlreadyDone it ->
                new Entrance.Answered(
                        replayed(it.outcome(), it.replayUntil()),
                        it.waited().isZero() ? Ending.REPLAYED : Ending.WAITED);
            case Claim.InProgress it -> closed(expiring(Problem.inProgress(it.retryAfter()), policy));
            case Claim.TooManyWaiters it -> closed(expiring(Problem.tooManyWaiters(it.retryAfter()), policy));
            case Claim.OverQuota it -> closed(expiring(Problem.quotaExceeded(it.what(), it.retryAfter()), policy));
            case Claim.InDoubt it -> closed(expiring(outcomeUnknown(409, it.reason(), id, it.retryAfter()), policy));
            case Claim.Mismatched it -> closed(expiring(Problem.keyReused(), policy));
            case Claim.Spent it ->
                closed(Problem.keySpent(it.doneAt()).with(EXPIRES, HttpDate.format(retained(it, policy))));
        };
    }

    private Entrance letThrough(Lease lease, String route, RoutePolicy policy, WriteOrderGuard.@Nullable Write write) {
        try {
            weakKeys.note(route, lease.id().tenant(), lease.id().key());
            WriteOrderGuard.Entry entry = write == null ? null : writes.enter(write);
            if (entry instanceof WriteOrderGuard.Entry.Refused it) {
                lease.release();
                return closed(expiring(it.answer(), policy));
            }
            // C3: from here on the request may be sent; until the lease is settled, only this process knows how far it
            // got.
            return new Entrance.Open(new KeyedPassage(lease, policy, placeOf(write, entry)));
        } catch (RuntimeException e) {
            lease.close();
            throw e;
        }
    }

    private static WriteOrderGuard.@Nullable Place placeOf(
            WriteOrderGuard.@Nullable Write write, WriteOrderGuard.@Nullable Entry entry) {
        return write != null && entry instanceof WriteOrderGuard.Entry.Passed it
                ? new WriteOrderGuard.Place(write, it.recorded())
                : null;
    }

    /** The way of a request whose key was granted. An exception of the caller's closes the lease unsettled: that is a doubt. */
    private final class KeyedPassage implements Passage {
        private final Lease lease;
        private final RoutePolicy policy;
        private final WriteOrderGuard.@Nullable Place place;

        KeyedPassage(Lease lease, RoutePolicy policy, WriteOrderGuard.@Nullable Place place) {
            this.lease = lease;
            this.policy = policy;
            this.place = place;
        }

        @Override
        public Attempt attempt() {
            return new Attempt(lease.token(), lease.attempt(), lease.id().key(), lease::isSurelyHeld);
        }

        @Override
        public <B> Reply<B> settle(Exchange<B> exchange) {
            if (place != null) writes.judge(place, policy.statuses(), exchange);
            return switch (exchange) {
                case Exchange.Answered<B> it -> answered(lease, policy, it.response());
                case Exchange.TooLargeToKeep<B> it -> tooLarge(lease, policy, it);
                case Exchange.NotSent<B> it -> notSent(lease, policy);
                case Exchange.Broken<B> it -> inDoubt(lease, policy, 502, it.why());
                case Exchange.TimedOut<B> it -> inDoubt(lease, policy, 504, it.why());
            };
        }

        @Override
        public void close() {
            lease.close();
        }
    }

    /** Not one byte was sent. Unless someone else was let in meanwhile, that is all there is to say of the key. */
    private <B> Reply<B> notSent(Lease lease, RoutePolicy policy) {
        return lease.release() instanceof Settlement.Superseded
                ? overtaken(lease, policy)
                : whole(expiring(Problem.upstreamUnreachable(), policy));
    }

    private <B> Reply<B> answered(Lease lease, RoutePolicy policy, HttpResponse response) {
        HttpResponse live = live(policy, response);
        return switch (policy.statuses().verdict(response)) {
            case STORE -> {
                HttpResponse kept = new HttpResponse(
                        response.status(), policy.headers().stored(response.headers()), response.body());
                yield record(lease, policy, outcomeOf(kept), new Reply.Whole<>(live));
            }
            case RELEASE -> {
                lease.release();
                yield whole(expiring(live, policy));
            }
            case DOUBT -> inDoubt(lease, policy, gatewayStatus(response.status()), doubtful(response.status()));
        };
    }

    /** An answer that is too large for the store is recorded without its body. */
    private Outcome outcomeOf(HttpResponse kept) {
        Outcome whole = ResponseCodec.encode(StoredResponse.whole(kept));
        if (whole.encoded().length <= semel.store().traits().largestOutcome()) return whole;
        return ResponseCodec.encode(StoredResponse.withoutBody(kept.status(), kept.headers()));
    }

    private static HttpResponse live(RoutePolicy policy, HttpResponse response) {
        return new HttpResponse(response.status(), policy.headers().forClient(response.headers()), response.body());
    }

    private <B> Reply<B> tooLarge(Lease lease, RoutePolicy policy, Exchange.TooLargeToKeep<B> exchange) {
        Reply.Streaming<B> live = live(policy, exchange, Ending.FRESH);
        return switch (policy.statuses().verdict(exchange.status(), exchange.headers())) {
            case STORE -> {
                Outcome kept = ResponseCodec.encode(StoredResponse.withoutBody(
                        exchange.status(), policy.headers().stored(exchange.headers())));
                yield record(lease, policy, kept, live);
            }
            case RELEASE -> {
                lease.release();
                yield withExpiry(live, endOfRetention(policy));
            }
            case DOUBT -> inDoubt(lease, policy, gatewayStatus(exchange.status()), doubtful(exchange.status()));
        };
    }

    private static <B> Reply.Streaming<B> live(RoutePolicy policy, Exchange.TooLargeToKeep<B> exchange, Ending ending) {
        Headers headers = policy.headers().forClient(exchange.headers());
        return new Reply.Streaming<>(exchange.status(), headers, exchange.body(), ending);
    }

    /** The answer leaves only when the outcome is durable. */
    private <B> Reply<B> record(Lease lease, RoutePolicy policy, Outcome outcome, Reply<B> reply) {
        // C4: done upstream, not yet recorded.
        return switch (lease.complete(outcome)) {
            case Settlement.Accepted it
            when it.record().state() instanceof KeyState.Done done -> withExpiry(reply, done.replayUntil());
            case Settlement.Accepted it ->
                throw new IllegalStateException("Completed, but " + it.record().state());
            case Settlement.Superseded it -> overtaken(lease, policy);
            case Settlement.Unrecorded it ->
                whole(expiring(
                        outcomeUnknown(504, "the answer could not be recorded in time", lease.id(), null), policy));
        };
        // C5: recorded, not yet answered: the retry is a replay.
    }

    /**
     * Someone else ended this key meanwhile. What counts is what is recorded, not what this attempt saw; unless the key
     * was forgotten while this attempt slept, and belongs to another request by now.
     */
    private <B> Reply<B> overtaken(Lease lease, RoutePolicy policy) {
        try {
            Seen seen = semel.find(lease.id());
            KeyRecord now = seen == null ? null : seen.record().asOf(seen.now());
            if (now != null
                    && now.state() instanceof KeyState.Done done
                    && now.fingerprint().equals(lease.fingerprint()))
                return new Reply.Whole<>(replayed(done.outcome(), done.replayUntil()), Ending.REPLAYED);
        } catch (StoreException e) {
            // What is recorded cannot be read now; the answer below is true without it.
        }
        return whole(expiring(outcomeUnknown(409, "another attempt took over", lease.id(), null), policy));
    }

    private <B> Reply<B> inDoubt(Lease lease, RoutePolicy policy, int status, String why) {
        lease.doubt(why);
        if (policy.claims().guarantee() == Guarantee.AT_LEAST_ONCE)
            return whole(expiring(Problem.outcomeUnknownAndFree(status, why, StatusLink.of(lease.id())), policy));
        Duration probeIn = policy.probe() == null ? null : policy.probe().after();
        return whole(expiring(outcomeUnknown(status, why, lease.id(), probeIn), policy));
    }

    private static HttpResponse outcomeUnknown(int status, String why, KeyId id, @Nullable Duration probeIn) {
        return Problem.outcomeUnknown(status, why, StatusLink.of(id), probeIn);
    }

    private static String doubtful(int status) {
        return "the upstream answered " + status + ", which does not say whether it ran";
    }

    private static int gatewayStatus(int upstreamStatus) {
        return upstreamStatus == 504 ? 504 : 502;
    }

    /** Nothing is remembered of such a request but its version. */
    private Entrance withoutKey(WriteOrderGuard.@Nullable Write write, RoutePolicy policy) {
        WriteOrderGuard.Entry entry = write == null ? null : writes.enter(write);
        if (entry instanceof WriteOrderGuard.Entry.Refused it) return closed(it.answer());
        return new Entrance.Open(new KeylessPassage(policy, placeOf(write, entry)));
    }

    /** The way of a request without a key. */
    private final class KeylessPassage implements Passage {
        private final RoutePolicy policy;
        private final WriteOrderGuard.@Nullable Place place;

        KeylessPassage(RoutePolicy policy, WriteOrderGuard.@Nullable Place place) {
            this.policy = policy;
            this.place = place;
        }

        @Override
        public Attempt attempt() {
            return Attempt.WITHOUT_KEY;
        }

        @Override
        public <B> Reply<B> settle(Exchange<B> exchange) {
            if (place != null) writes.judge(place, policy.statuses(), exchange);
            return switch (exchange) {
                case Exchange.Answered<B> it -> new Reply.Whole<>(live(policy, it.response()), Ending.PASSED);
                case Exchange.TooLargeToKeep<B> it -> live(policy, it, Ending.PASSED);
                case Exchange.NotSent<B> it -> whole(Problem.upstreamUnreachable());
                case Exchange.Broken<B> it -> whole(Problem.upstreamBroke());
                case Exchange.TimedOut<B> it -> whole(Problem.upstreamTooSlow());
            };
        }

        @Override
        public void close() {
            // there is nothing that it holds
        }
    }

    private static HttpResponse replayed(Outcome outcome, Instant replayUntil) {
        return recorded(outcome).with("Idempotent-Replayed", "true").with(EXPIRES, HttpDate.format(replayUntil));
    }

    private static HttpResponse recorded(Outcome outcome) {
        if (JsonOutcome.isJson(outcome)) {
            // Someone said what happened through the service API, not through the proxy.
            Headers json = Headers.NONE.with("Content-Type", "application/json");
            return new HttpResponse(200, json, JsonOutcome.text(outcome).getBytes(StandardCharsets.UTF_8));
        }
        if (JsonOutcome.isShredded(outcome))
            return Problem.responseNotKept(new HttpResponse(200, Headers.NONE, new byte[0]));
        StoredResponse stored = ResponseCodec.decode(outcome);
        return stored.bodyKept() ? stored.response() : Problem.responseNotKept(stored.response());
    }

    /** The answer to a request with a key, also one that was given before its key was looked at: says how long outcomes are kept. */
    public static HttpResponse expiring(HttpResponse response, RoutePolicy policy) {
        return response.with(EXPIRES, HttpDate.format(endOfRetention(policy)));
    }

    /** Until when an outcome was kept, if it was recorded under the same policy. */
    private static Instant retained(Claim.Spent spent, RoutePolicy policy) {
        return spent.doneAt().plus(policy.claims().retention());
    }

    /** Until when an outcome would be kept that is recorded now. */
    private static Instant endOfRetention(RoutePolicy policy) {
        return Instant.now().plus(policy.claims().retention());
    }

    private static <B> Reply<B> withExpiry(Reply<B> reply, Instant replayUntil) {
        String expires = HttpDate.format(replayUntil);
        return switch (reply) {
            case Reply.Whole<B> it -> new Reply.Whole<>(it.response().with(EXPIRES, expires), it.ending());
            case Reply.Streaming<B> it ->
                new Reply.Streaming<>(it.status(), it.headers().with(EXPIRES, expires), it.body(), it.ending());
        };
    }

    private static Entrance closed(HttpResponse answer) {
        return new Entrance.Answered(answer, Ending.PROBLEM);
    }

    private static <B> Reply<B> whole(HttpResponse response) {
        return new Reply.Whole<>(response);
    }
}
