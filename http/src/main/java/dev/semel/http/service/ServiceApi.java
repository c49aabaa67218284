package dev.semel.http.service;

import dev.semel.core.Semel;
import dev.semel.core.claim.Claim;
import dev.semel.core.claim.ClaimRequest;
import dev.semel.core.claim.Lease;
import dev.semel.core.key.KeyId;
import dev.semel.core.store.StoreException;
import dev.semel.http.ContentType;
import dev.semel.http.Headers;
import dev.semel.http.HttpRequest;
import dev.semel.http.HttpResponse;
import dev.semel.http.OutcomeWriter;
import dev.semel.http.Problem;
import dev.semel.http.StatusLink;
import java.util.List;

/**
 * Claims as resources, for callers in any language: whoever is granted a claim runs the operation itself, and says what
 * became of it.
 *
 * <pre>
 * POST   /.semel/v1/claims                    claim
 * PUT    /.semel/v1/claims/{id}/outcome       it ran
 * POST   /.semel/v1/claims/{id}/renew         it still runs
 * DELETE /.semel/v1/claims/{id}?token=N       it did not run
 * POST   /.semel/v1/claims/{id}/doubt         it may have run
 * </pre>
 *
 * <p>Safe for use by any thread; blocks, and is meant for virtual threads. When an answer is returned, what it says is
 * durable. Nothing is remembered between requests: any process on the same store answers any of them.
 */
public final class ServiceApi {
    public static final String PATH = "/.semel/v1/claims";

    private static final long CLAIM_LIMIT = 1024 * 1024;
    private static final long OUTCOME_LIMIT = 4 * CLAIM_LIMIT;

    /** What a body with an outcome may have besides it. */
    private static final long ROOM_AROUND_OUTCOME = 4096;

    private final Semel semel;
    private final ClaimKeys keys;
    private final HolderReports reports;
    private final long claimLimit;
    private final long outcomeLimit;

    public ServiceApi(Semel semel) {
        this(semel, CLAIM_LIMIT, OUTCOME_LIMIT);
    }

    /**
     * With limits of its own.
     *
     * @param claimLimit how many bytes the body of a request may have, unless it carries an outcome
     * @param outcomeLimit how many bytes an outcome may have
     */
    public ServiceApi(Semel semel, long claimLimit, long outcomeLimit) {
        this.semel = semel;
        this.keys = new ClaimKeys(semel);
        this.reports = new HolderReports(semel, keys, outcomeLimit);
        this.claimLimit = claimLimit;
        this.outcomeLimit = outcomeLimit;
    }

    /** Whether a path is one of this API's, or would be. */
    public static boolean isAt(String path) {
        return path.equals(PATH) || path.startsWith(PATH + "/");
    }

    /** How many bytes of a body need to be read to answer a request to this path. */
    public long requestLimit(String path) {
        return path.endsWith("/outcome") ? outcomeLimit + ROOM_AROUND_OUTCOME : claimLimit;
    }

    /** @param tenant whose claims they are; empty when there is only one tenant */
    public HttpResponse answer(String tenant, HttpRequest request) {
        try {
            return route(tenant, request);
        } catch (Refusal refused) {
            return refused.answer();
        }
    }

    private HttpResponse route(String tenant, HttpRequest request) throws Refusal {
        String path = request.path();
        if (path.equals(PATH)) return claim(tenant, json("POST", request));
        String[] parts = path.substring(PATH.length() + 1).split("/", -1);
        if (parts.length > 2 || parts[0].isEmpty()) return Problem.noSuchResource();
        if (parts.length == 1) {
            allow("DELETE", request);
            return reports.release(claimOf(parts[0]), tenant, token(request));
        }
        return switch (parts[1]) {
            case "outcome" -> reports.complete(claimOf(parts[0]), tenant, json("PUT", request));
            case "renew" -> reports.renew(claimOf(parts[0]), tenant, json("POST", request));
            case "doubt" -> reports.doubt(claimOf(parts[0]), tenant, json("POST", request));
            default -> Problem.noSuchResource();
        };
    }

    private static ClaimId claimOf(String id) throws Refusal {
        ClaimId claim = ClaimId.parse(id);
        if (claim == null) throw new Refusal(Problem.claimUnknown());
        return claim;
    }

    private byte[] json(String method, HttpRequest request) throws Refusal {
        allow(method, request);
        List<String> types = request.headers().all("Content-Type");
        ContentType type = types.size() == 1 ? ContentType.parse(types.getFirst()) : null;
        // Without a word about it, it is taken for what it must be.
        if (!types.isEmpty() && (type == null || !type.isJsonInUtf8())) throw new Refusal(Problem.notJson());
        long limit = requestLimit(request.path());
        if (request.body().length > limit) throw new Refusal(Problem.bodyTooLarge(limit));
        return request.body();
    }

    private static void allow(String method, HttpRequest request) throws Refusal {
        if (!request.method().equals(method)) throw new Refusal(Problem.methodNotAllowed(method));
    }

    private static long token(HttpRequest request) throws Refusal {
        String query = request.query() == null ? "" : request.query();
        List<String> tokens = List.of(query.split("&", -1)).stream()
                .filter(it -> it.startsWith("token="))
                .toList();
        try {
            if (tokens.size() == 1) return Long.parseLong(tokens.getFirst().substring("token=".length()));
        } catch (NumberFormatException e) {
            // Refused like the rest.
        }
        throw new Refusal(Problem.badRequest("the query must name the token of the claim once, such as ?token=17"));
    }

    private HttpResponse claim(String tenant, byte[] body) throws Refusal {
        ClaimBody claim = ClaimBody.read(body);
        try {
            KeyId id = keys.of(claim.claim(), tenant);
            ClaimRequest request = new ClaimRequest(id, claim.fingerprint(), claim.policy()).forRemoteHolder();
            return switch (semel.claim(request)) {
                case Claim.Granted it -> granted(claim.claim(), it.lease());
                case Claim.AlreadyDone it
                when it.outcome().isShredded() ->
                    Problem.responseNotKept(new HttpResponse(200, Headers.NONE, new byte[0]));
                case Claim.AlreadyDone it ->
                    JsonAnswer.of(200, out -> {
                        out.writeFieldName("outcome");
                        OutcomeWriter.value(it.outcome(), out);
                    });
                case Claim.InProgress it -> Problem.inProgress(it.retryAfter());
                case Claim.OverQuota it -> Problem.quotaExceeded(it.what(), it.retryAfter());
                case Claim.TooManyWaiters it -> Problem.tooManyWaiters(it.retryAfter());
                case Claim.InDoubt it -> Problem.outcomeUnknown(409, it.reason(), StatusLink.of(id), null);
                case Claim.Mismatched it -> Problem.payloadDiffers();
                case Claim.Spent it -> Problem.keySpent(it.doneAt());
            };
        } catch (StoreException e) {
            return Problem.storeUnavailable();
        }
    }

    /** The lease is not kept here: its holder renews it, or lets it run out. */
    private static HttpResponse granted(ClaimId claim, Lease lease) {
        String id = claim.text();
        HttpResponse answer = JsonAnswer.of(201, out -> {
            out.writeStringField("id", id);
            out.writeNumberField("token", lease.token());
            out.writeNumberField("attempt", lease.attempt());
            out.writeStringField("leaseUntil", lease.leaseUntil().toString());
        });
        Headers headers = answer.headers().with("Location", PATH + "/" + id);
        return new HttpResponse(answer.status(), headers, answer.body());
    }
}
