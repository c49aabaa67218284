package dev.semel.http;

import dev.semel.core.Claim;
import dev.semel.core.ClaimRequest;
import dev.semel.core.Lease;
import dev.semel.core.Semel;
import dev.semel.core.Settled;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

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

    public Guard(Semel semel) {
        this.semel = semel;
    }

    /** Decides by the head alone whether a request is guarded. */
    public static Admission admit(String method, Headers headers, RoutePolicy policy) {
        if (policy.key() == KeyMode.OFF || isSafe(method)) return new Admission.Pass();
        return switch (IdempotencyKey.read(headers, IdempotencyKey.HEADER)) {
            case KeyReading.Present it -> new Admission.Keyed(it.key());
            case KeyReading.Malformed it -> new Admission.Refused(Problem.keyMalformed(it.why()));
            case KeyReading.Absent it ->
                policy.key() == KeyMode.REQUIRED ? new Admission.Refused(Problem.keyMissing()) : new Admission.Pass();
        };
    }

    private static boolean isSafe(String method) {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS", "TRACE" -> true;
            default -> false;
        };
    }

    /** Answers a keyed request: by letting it through, if it is the first, or by what became of the first. */
    public <B> Reply<B> answer(HttpRequest request, KeyId id, RoutePolicy policy, Upstream<B> upstream) {
        try {
            ClaimRequest claim = new ClaimRequest(id, policy.fingerprint().of(request), policy.claims());
            return switch (semel.claim(claim)) {
                case Claim.Granted it -> letThrough(it.lease(), policy, upstream);
                case Claim.AlreadyDone it -> whole(replay(it.outcome(), it.replayUntil()));
                case Claim.InProgress it -> whole(keyed(Problem.inProgress(it.retryAfter()), policy));
                case Claim.TooManyWaiters it -> whole(keyed(Problem.tooManyWaiters(it.retryAfter()), policy));
                case Claim.InDoubt it ->
                    whole(keyed(Problem.outcomeUnknown(409, it.reason(), StatusLink.of(id)), policy));
                case Claim.Mismatched it -> whole(keyed(Problem.keyReused(), policy));
                case Claim.Spent it -> whole(Problem.keySpent(it.doneAt()));
            };
        } catch (StoreException e) {
            return whole(Problem.storeUnavailable());
        }
    }

    private <B> Reply<B> letThrough(Lease lease, RoutePolicy policy, Upstream<B> upstream) {
        // C3: from here on the request may be sent; until the lease is settled, only this process knows how far it got.
        try (lease) {
            return switch (upstream.send(new Attempt(lease.token(), lease.attempt()))) {
                case Exchange.Answered<B> it -> answered(lease, policy, it.response());
                case Exchange.TooLargeToKeep<B> it -> tooLarge(lease, policy, it);
                case Exchange.NotSent<B> it -> {
                    lease.release();
                    yield whole(keyed(Problem.upstreamUnreachable(), policy));
                }
                case Exchange.Broken<B> it -> inDoubt(lease, policy, 502, it.why());
                case Exchange.TimedOut<B> it -> inDoubt(lease, policy, 504, it.why());
            };
        }
    }

    private <B> Reply<B> answered(Lease lease, RoutePolicy policy, HttpResponse response) {
        HttpResponse live =
                new HttpResponse(response.status(), policy.headers().forClient(response.headers()), response.body());
        return switch (policy.statuses().verdict(response.status(), response.headers())) {
            case STORE -> {
                HttpResponse kept = new HttpResponse(
                        response.status(), policy.headers().stored(response.headers()), response.body());
                yield record(lease, policy, ResponseCodec.encode(StoredResponse.whole(kept)), new Reply.Whole<>(live));
            }
            case RELEASE -> {
                lease.release();
                yield whole(keyed(live, policy));
            }
            case DOUBT ->
                inDoubt(lease, policy, gatewayStatus(response.status()), "the upstream answered " + response.status());
        };
    }

    private <B> Reply<B> tooLarge(Lease lease, RoutePolicy policy, Exchange.TooLargeToKeep<B> exchange) {
        Headers headers = policy.headers().forClient(exchange.headers());
        Reply.Live<B> live = new Reply.Live<>(exchange.status(), headers, exchange.body());
        return switch (policy.statuses().verdict(exchange.status(), exchange.headers())) {
            case STORE -> {
                Outcome kept = ResponseCodec.encode(StoredResponse.withoutBody(
                        exchange.status(), policy.headers().stored(exchange.headers())));
                yield record(lease, policy, kept, live);
            }
            case RELEASE -> {
                lease.release();
                yield live;
            }
            case DOUBT ->
                inDoubt(lease, policy, gatewayStatus(exchange.status()), "the upstream answered " + exchange.status());
        };
    }

    /** The answer leaves only when the outcome is durable. */
    private <B> Reply<B> record(Lease lease, RoutePolicy policy, Outcome outcome, Reply<B> reply) {
        // C4: done upstream, not yet recorded.
        return switch (lease.complete(outcome)) {
            case Settled.Accepted it
            when it.record().state() instanceof KeyState.Done done -> withExpiry(reply, done.replayUntil());
            case Settled.Accepted it ->
                throw new IllegalStateException("Completed, but " + it.record().state());
            case Settled.Superseded it -> overtaken(lease.id(), policy);
            case Settled.Unrecorded it ->
                whole(keyed(
                        Problem.outcomeUnknown(
                                504, "the answer could not be recorded in time", StatusLink.of(lease.id())),
                        policy));
        };
        // C5: recorded, not yet answered: the retry is a replay.
    }

    /** Someone else ended this key meanwhile. What counts is what is recorded, not what this attempt saw. */
    private <B> Reply<B> overtaken(KeyId id, RoutePolicy policy) {
        try {
            Seen seen = semel.find(id);
            if (seen != null && seen.record().state() instanceof KeyState.Done done)
                return whole(replay(done.outcome(), done.replayUntil()));
        } catch (StoreException e) {
            // Not for the caller, who would say that nothing was sent.
        }
        return whole(keyed(Problem.outcomeUnknown(409, "another attempt took over", StatusLink.of(id)), policy));
    }

    private <B> Reply<B> inDoubt(Lease lease, RoutePolicy policy, int status, String why) {
        lease.doubt(why);
        return whole(keyed(Problem.outcomeUnknown(status, why, StatusLink.of(lease.id())), policy));
    }

    private static int gatewayStatus(int upstreamStatus) {
        return upstreamStatus == 504 ? 504 : 502;
    }

    private static HttpResponse replay(Outcome outcome, Instant replayUntil) {
        HttpResponse response = recorded(outcome);
        Headers marked =
                response.headers().with("Idempotent-Replayed", "true").with(EXPIRES, HttpDate.format(replayUntil));
        return new HttpResponse(response.status(), marked, response.body());
    }

    private static HttpResponse recorded(Outcome outcome) {
        if (JsonOutcome.isJson(outcome)) {
            // Someone said what happened through the service API, not through this door.
            Headers json = Headers.NONE.with("Content-Type", "application/json");
            return new HttpResponse(200, json, JsonOutcome.text(outcome).getBytes(StandardCharsets.UTF_8));
        }
        StoredResponse stored = ResponseCodec.decode(outcome);
        return stored.bodyKept() ? stored.response() : Problem.responseNotKept(stored.response());
    }

    private static HttpResponse keyed(HttpResponse response, RoutePolicy policy) {
        Instant expires = Instant.now().plus(policy.claims().retention());
        return new HttpResponse(
                response.status(), response.headers().with(EXPIRES, HttpDate.format(expires)), response.body());
    }

    private static <B> Reply<B> withExpiry(Reply<B> reply, Instant replayUntil) {
        String expires = HttpDate.format(replayUntil);
        return switch (reply) {
            case Reply.Whole<B>(HttpResponse it) ->
                whole(new HttpResponse(it.status(), it.headers().with(EXPIRES, expires), it.body()));
            case Reply.Live<B> it -> new Reply.Live<>(it.status(), it.headers().with(EXPIRES, expires), it.body());
        };
    }

    private static <B> Reply<B> whole(HttpResponse response) {
        return new Reply.Whole<>(response);
    }
}
