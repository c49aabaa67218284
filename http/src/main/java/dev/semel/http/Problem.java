package dev.semel.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every answer of Semel's own, as RFC 9457 problems. Each says what happened, whether a retry is safe, and what to do;
 * the member {@code retry} says the same to programs.
 */
public final class Problem {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String DESCRIBED_BY = "</.well-known/idempotency>; rel=\"describedby\"";

    /** What Stripe's SDKs go by before they look at the status. */
    private static final String FOR_STRIPE = "stripe-should-retry";

    /** Headers of an answer that speak of its body, or of how long that may be kept. */
    private static final Set<String> BODY_HEADERS = Set.of(
            "content-type",
            "content-encoding",
            "content-language",
            "content-length",
            "content-range",
            "content-disposition",
            "content-md5",
            "content-digest",
            "repr-digest",
            "digest",
            "etag",
            "cache-control",
            "expires");

    private Problem() {}

    /** What a program may do next. */
    private enum Retry {
        /** Correct the request first. */
        CORRECTED("corrected", "false"),
        /** Send the same request with the same key again, now or later. */
        SAME_KEY("same-key", "true"),
        /** Do not send it again as a new operation; ask for its status, or retry with the same key later. */
        ASK_STATUS("ask-status", null),
        /** Never: it has happened. */
        NO("no", "false"),
        /** With another key, for it is another operation. */
        NEW_KEY("new-key", "false");

        private final String text;

        /** The same to Stripe's SDKs, which go by the status where this is not said. */
        private final @Nullable String stripe;

        Retry(String text, @Nullable String stripe) {
            this.text = text;
            this.stripe = stripe;
        }
    }

    public static HttpResponse badRequest(String flaw) {
        return problem(
                400,
                "bad-request",
                "Not a proper HTTP request",
                "The request was refused: " + flaw + ". Nothing was sent on. Correct the request and send it again.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** @param pointer where in the body the flaw is, as a JSON pointer (RFC 6901) */
    public static HttpResponse badMember(String pointer, String flaw) {
        return badBody(
                400,
                "bad-request",
                "The body is not what this resource takes",
                "The request was refused: " + flaw + (pointer.isEmpty() ? "" : ", at " + pointer + " of the body")
                        + ". Nothing was done. Correct the request and send it again.",
                pointer);
    }

    /** For an API that takes the key in the body. */
    public static HttpResponse keyMemberMissing(String pointer) {
        return badBody(
                400,
                "key-missing",
                "A key is required",
                "The body must name the key of the operation, so that a retry cannot run it twice. Nothing was done."
                        + " Make a UUID once for this operation, keep it, and send it with every attempt.",
                pointer);
    }

    /** For an API that takes the key in the body. */
    public static HttpResponse keyMemberMalformed(String pointer) {
        return badBody(
                400,
                "key-malformed",
                "This is not a valid key",
                "A key is 1 to " + IdempotencyKey.MAX_LENGTH
                        + " visible ASCII characters, for example a random UUID. Nothing was done.",
                pointer);
    }

    static HttpResponse keyMissing(KeySource source) {
        boolean isDefault = source.equals(KeySource.DEFAULT);
        return problem(
                400,
                "key-missing",
                isDefault ? "Idempotency-Key is required" : "A key is required",
                "This operation needs "
                        + (isDefault ? "an Idempotency-Key header" : "a key (" + source + ")")
                        + ", so that a retry cannot run it twice. Nothing was sent on."
                        + (isDefault
                                ? " Make a UUID once for this operation, keep it, and send it with every attempt."
                                : ""),
                Retry.CORRECTED,
                null,
                null);
    }

    static HttpResponse keyMalformed(String why) {
        return problem(
                400,
                "key-malformed",
                "Idempotency-Key is not a valid key",
                why + " Nothing was sent on.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** @param part what did not come in time: head or body */
    public static HttpResponse tooSlow(String part) {
        return problem(
                408,
                "too-slow",
                "The request did not come in time",
                "The " + part + " of the request did not come in time. Nothing was recorded for its key."
                        + " Send it again, on a new connection.",
                Retry.SAME_KEY,
                null,
                null);
    }

    public static HttpResponse inProgress(Duration retryAfter) {
        return problem(
                409,
                "in-progress",
                "Another attempt is running",
                "Another attempt with this key is running. This one"
                        + " was not sent on. Retry with the same key after a moment to get its answer.",
                Retry.SAME_KEY,
                retryAfter,
                null);
    }

    public static HttpResponse outcomeUnknown(
            int status, String why, String statusLink, @Nullable Duration retryAfter) {
        return problem(
                status,
                "outcome-unknown",
                "It is not known whether the operation happened",
                "The operation was sent on, and"
                        + " its outcome is not known: " + why
                        + ". It may or may not have happened, and it will not be run again by itself. Do not repeat it"
                        + " with another key. Ask for its status at the Location, or retry later with the same key.",
                Retry.ASK_STATUS,
                retryAfter,
                statusLink);
    }

    /** Where it may run again. */
    static HttpResponse outcomeUnknownAndFree(int status, String why, String statusLink) {
        return problem(
                status,
                "outcome-unknown",
                "It is not known whether the operation happened",
                "The operation was sent on, and its outcome is not known: " + why
                        + ". It may or may not have happened. This operation may run more than once, so the key is free"
                        + " again: retry with the same key.",
                Retry.SAME_KEY,
                Duration.ofSeconds(1),
                statusLink);
    }

    public static HttpResponse keySpent(Instant doneAt) {
        return problem(
                410,
                "key-spent",
                "The operation happened, its answer is no longer kept",
                "An operation with this key happened at " + doneAt
                        + ". Its answer is no longer kept, and it was not run again. A new operation needs a new key.",
                Retry.NO,
                null,
                null);
    }

    static HttpResponse keyTooOld(String why) {
        return problem(
                410,
                "key-too-old",
                "The key is too old",
                why + " Whether the operation has happened is no longer known here. This request was not sent on."
                        + " Find out before you send it with a new key.",
                Retry.NO,
                null,
                null);
    }

    static HttpResponse staleWrite(long version, long last) {
        return problem(
                409,
                "stale-write",
                "A newer write was let through before",
                "This write has version " + version + ", and one with version " + last + " was let through before."
                        + " It was not sent on, for it would undo the newer one. Read the resource again, then decide.",
                Retry.NO,
                null,
                null);
    }

    static HttpResponse versionMissing(String source) {
        return problem(
                400,
                "version-missing",
                "A version is required",
                "Writes to this resource are kept in order, and need a version in " + source
                        + ": a whole number that grows with every write. Nothing was sent on.",
                Retry.CORRECTED,
                null,
                null);
    }

    static HttpResponse versionMalformed(String why) {
        return problem(
                400,
                "version-malformed",
                "The version is not valid",
                why + " Nothing was sent on.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** The request does not prove whose it is. */
    public static HttpResponse tenantUnknown(String why, String challenge) {
        HttpResponse unknown = problem(
                401, "tenant-unknown", "It is not known whose request this is", why, Retry.CORRECTED, null, null);
        return unknown.with("WWW-Authenticate", challenge);
    }

    /** Nobody can tell right now whose request it is. */
    public static HttpResponse tenantUnavailable(String why) {
        return problem(
                503,
                "tenant-unavailable",
                "It cannot be told whose request this is",
                why + " Nothing was sent on; a retry is safe.",
                Retry.SAME_KEY,
                Duration.ofSeconds(1),
                null);
    }

    /** For paths under {@code /.semel/} that mean nothing. */
    public static HttpResponse noSuchResource() {
        return problem(
                404,
                "no-such-resource",
                "There is no such resource",
                "Semel has no resource at this path, and passes nothing" + " under /.semel/ on.",
                Retry.CORRECTED,
                null,
                null);
    }

    public static HttpResponse keyUnknown() {
        return problem(
                404,
                "key-unknown",
                "There is no such key",
                "No operation with this key is known here: it never arrived, or"
                        + " it was long ago. Sending it with this key is safe.",
                Retry.SAME_KEY,
                null,
                null);
    }

    public static HttpResponse bodyTooLarge(long limit) {
        return problem(
                413,
                "body-too-large",
                "The request body is too large",
                "The body of a request with a key may have " + limit + " bytes at most here. Nothing was sent on.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** @param allowed the methods that the resource knows, such as {@code GET, PUT} */
    public static HttpResponse methodNotAllowed(String allowed) {
        HttpResponse problem = problem(
                405,
                "method-not-allowed",
                "This resource does not know the method",
                "This resource knows " + allowed + " only. Nothing was done.",
                Retry.CORRECTED,
                null,
                null);
        return problem.with("Allow", allowed);
    }

    public static HttpResponse notJson() {
        return problem(
                415,
                "unsupported-media-type",
                "The body must be JSON",
                "This resource takes JSON in UTF-8 and needs the header Content-Type: application/json. Nothing was"
                        + " done.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** For a webhook whose bytes are not those that were signed. */
    public static HttpResponse encodedWebhook() {
        return problem(
                415,
                "unsupported-content-encoding",
                "A webhook must not be compressed",
                "A webhook is verified as its sender signed it, so it is taken without Content-Encoding only. Nothing"
                        + " was done.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** For a path of the upstream that only verified webhooks reach. */
    public static HttpResponse onlyForWebhooks() {
        return problem(
                404,
                "no-such-resource",
                "There is no such resource",
                "Nothing can be sent to this path from outside. Nothing was sent on.",
                Retry.CORRECTED,
                null,
                null);
    }

    public static HttpResponse targetTooLong() {
        return problem(
                414,
                "target-too-long",
                "The request target is too long",
                "The first line of the request is longer than what is taken here. Nothing was sent on.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** For the id of a claim that was never given out. */
    public static HttpResponse claimUnknown() {
        return problem(
                404,
                "claim-unknown",
                "There is no such claim",
                "This is not the id of a claim. Use the id as it was answered to the claim, unchanged.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** @param advice why the service API is not served here and what to configure, as whole sentences */
    public static HttpResponse serviceApiOff(String advice) {
        return problem(
                403,
                "service-api-off",
                "The service API is not served here",
                advice + " Nothing was done.",
                Retry.CORRECTED,
                null,
                null);
    }

    public static HttpResponse serviceTokenWrong() {
        HttpResponse wrong = problem(
                401,
                "service-token-wrong",
                "The token of the service API is missing or wrong",
                "The service API needs its token: send 'Authorization: Bearer TOKEN' once, with the token that is"
                        + " configured as 'service: { token: … }'. Nothing was done.",
                Retry.CORRECTED,
                null,
                null);
        return new HttpResponse(401, wrong.headers().with("WWW-Authenticate", "Bearer"), wrong.body());
    }

    public static HttpResponse headTooLarge() {
        return problem(
                431,
                "head-too-large",
                "The headers are too large",
                "The headers of the request are more or longer than what is taken here. Nothing was sent on.",
                Retry.CORRECTED,
                null,
                null);
    }

    /** For the word of a holder that does not count any more. */
    public static HttpResponse superseded(String statusLink) {
        return problem(
                412,
                "superseded",
                "This claim does not hold the key any more",
                "The key has another holder by now, or another end than this one. Nothing was written. What counts is"
                        + " what is recorded: ask for it at the Location, or claim again with the same key.",
                Retry.ASK_STATUS,
                null,
                statusLink);
    }

    /** For the word of a holder that the store did not take in time. */
    public static HttpResponse notRecorded() {
        return problem(
                503,
                "store-unavailable",
                "This could not be recorded right now",
                "The store of keys did not answer in time, so this may not be recorded. Say it again, with the same"
                        + " token: to say it twice does no harm.",
                Retry.SAME_KEY,
                Duration.ofSeconds(1),
                null);
    }

    /** For a claim whose payload or fingerprint is not that of the first claim of its key. */
    public static HttpResponse payloadDiffers() {
        return problem(
                422,
                "key-reused",
                "The key was first used for something else",
                "This key belongs to an operation with another payload or fingerprint. Nothing was granted. A new"
                        + " operation needs a new key; a retry must repeat the first claim.",
                Retry.NEW_KEY,
                null,
                null);
    }

    static HttpResponse keyReused() {
        return problem(
                422,
                "key-reused",
                "The key was first used for another request",
                "This key belongs to a request that differs from this one in method, path, query, content type or"
                    + " body. This one was not sent on. A new operation needs a new key; a retry must repeat the first"
                    + " request.",
                Retry.NEW_KEY,
                null,
                null);
    }

    public static HttpResponse tooManyWaiters(Duration retryAfter) {
        return problem(
                429,
                "too-many-waiters",
                "Too many attempts wait for this key",
                "Another attempt with this key is running, and too many wait for its answer. This one was not sent on."
                        + " Retry with the same key after a moment.",
                Retry.SAME_KEY,
                retryAfter,
                null);
    }

    /** @param what the quota, as {@link dev.semel.core.Claim.OverQuota} names it */
    public static HttpResponse quotaExceeded(String what, Duration retryAfter) {
        String full = switch (what) {
            case "keys" -> "As many keys are kept for you as your quota allows";
            case "in-flight" -> "As many of your operations are running as your quota allows";
            default -> "Your quota of " + what + " is used up";
        };
        return problem(
                429,
                "quota-exceeded",
                "A quota is used up",
                full + " (quota " + what + "). Nothing was sent, and nothing is kept of this request. Retrying later"
                        + " with the same key is safe.",
                Retry.SAME_KEY,
                retryAfter,
                null);
    }

    public static HttpResponse upstreamUnreachable() {
        return problem(
                502,
                "upstream-unreachable",
                "The server behind could not be reached",
                "Nothing was sent, for no connection could be made. The operation did not happen, and the key is free."
                        + " Retry with the same key.",
                Retry.SAME_KEY,
                Duration.ofSeconds(1),
                null);
    }

    /** For requests without a key, of which nothing is recorded. */
    public static HttpResponse upstreamBroke() {
        return problem(
                502,
                "outcome-unknown",
                "The server behind did not answer",
                "The request was sent on, and no answer came. It carried no key, so nothing is known about it here,"
                        + " and a retry may run it twice. Send an Idempotency-Key to be safe.",
                Retry.ASK_STATUS,
                null,
                null);
    }

    /** For a request without a key. */
    public static HttpResponse upstreamTooSlow() {
        return problem(
                504,
                "outcome-unknown",
                "The server behind did not answer in time",
                "The request was sent on, and no full answer came in time. It carried no key, so nothing is known about"
                        + " it here, and a retry may run it twice. Send an Idempotency-Key to be safe.",
                Retry.ASK_STATUS,
                null,
                null);
    }

    public static HttpResponse storeUnavailable() {
        return problem(
                503,
                "store-unavailable",
                "Keys cannot be checked right now",
                "The store of keys did not answer, so this request" + " was not sent on. Retry with the same key.",
                Retry.SAME_KEY,
                Duration.ofSeconds(1),
                null);
    }

    public static HttpResponse stopping() {
        return problem(
                503,
                "stopping",
                "The gateway is stopping",
                "This gateway is being stopped, so the request was not sent on. Retry with the same key.",
                Retry.SAME_KEY,
                Duration.ofSeconds(1),
                null);
    }

    /** Bodies take as much memory as they may. Of an outcome that is recorded already nothing is lost. */
    public static HttpResponse overloaded() {
        return problem(
                503,
                "overloaded",
                "The gateway has too much in memory right now",
                "The bodies of other requests take all the memory there is for them, so this request was not sent on."
                        + " Retry with the same key after a moment.",
                Retry.SAME_KEY,
                Duration.ofSeconds(2),
                null);
    }

    /** For what should never happen. It is not known how far the request got. */
    public static HttpResponse internalError() {
        return problem(
                502,
                "outcome-unknown",
                "The gateway failed",
                "The gateway failed while it handled this request, and how far it"
                        + " got is not known. Retry with the same key: it will not run twice.",
                Retry.SAME_KEY,
                null,
                null);
    }

    /** In place of a body that was too large to keep, or cannot be read any more; status and headers are those of the first answer. */
    public static HttpResponse responseNotKept(HttpResponse stored) {
        HttpResponse problem = problem(
                stored.status(),
                "response-not-kept",
                "The body of the first answer was not kept",
                "The operation happened and was answered with this status. Its body was too large to keep, or can no"
                        + " longer be decrypted; the operation was not run again. Read the result from the resource"
                        + " itself.",
                Retry.NO,
                null,
                null);
        Headers kept = stored.headers().without(name -> BODY_HEADERS.contains(name) || name.equals(FOR_STRIPE));
        List<Headers.Field> all = new ArrayList<>();
        kept.forEach(all::add);
        problem.headers().forEach(all::add);
        return new HttpResponse(stored.status(), Headers.of(all), problem.body(), problem.problem());
    }

    private static HttpResponse badBody(int status, String name, String title, String detail, String pointer) {
        HttpResponse problem = problem(status, name, title, detail, Retry.CORRECTED, null, null);
        byte[] body = body(status, name, title, detail, Retry.CORRECTED, pointer);
        return new HttpResponse(status, problem.headers(), body, name);
    }

    private static HttpResponse problem(
            int status,
            String name,
            String title,
            String detail,
            Retry retry,
            @Nullable Duration retryAfter,
            @Nullable String location) {
        List<Headers.Field> headers = new ArrayList<>();
        headers.add(new Headers.Field("Content-Type", "application/problem+json"));
        headers.add(new Headers.Field("Link", DESCRIBED_BY));
        headers.add(new Headers.Field("Cache-Control", "no-store"));
        if (retryAfter != null) headers.add(new Headers.Field("Retry-After", seconds(retryAfter)));
        if (location != null) headers.add(new Headers.Field("Location", location));
        if (retry.stripe != null) headers.add(new Headers.Field(FOR_STRIPE, retry.stripe));
        return new HttpResponse(status, Headers.of(headers), body(status, name, title, detail, retry, null), name);
    }

    /** Rounded up: whoever comes back too early has to come back again. */
    private static String seconds(Duration wait) {
        return Long.toString(Math.max(1, wait.plusNanos(999_999_999).toSeconds()));
    }

    private static byte[] body(
            int status, String name, String title, String detail, Retry retry, @Nullable String pointer) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("type", "urn:semel:problem:" + name);
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            json.writeStringField("retry", retry.text);
            ErrorMember.write(name, detail, json);
            if (pointer != null) json.writeStringField("pointer", pointer);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }
}
