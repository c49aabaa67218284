package dev.semel.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.admin.JsonAnswer.Members;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.store.StoreException;
import dev.semel.http.ErrorMember;
import dev.semel.http.HttpResponse;
import java.io.IOException;
import java.util.List;

/** Every refusal of the admin API, as RFC 9457 problems. Each says what happened, and what to do. */
public final class AdminProblem {
    private AdminProblem() {}

    static HttpResponse unauthorized() {
        HttpResponse problem = problem(
                401,
                "admin-token-wrong",
                "The admin token is missing or wrong",
                "Send the admin token as 'Authorization: Bearer TOKEN'.");
        return new HttpResponse(401, problem.headers().with("WWW-Authenticate", "Bearer"), problem.body());
    }

    static HttpResponse tokenNeeded() {
        return problem(
                403,
                "admin-token-not-set",
                "There is no admin token",
                "The admin API can be reached from other machines here, so it is closed until a token is configured:"
                        + " set 'admin: { token: … }' or SEMEL_ADMIN_TOKEN, and start again.");
    }

    static HttpResponse foreignHost() {
        return problem(
                403,
                "host-not-local",
                "The request names another host",
                "Without a token the admin API answers only requests to this machine by a local name, such as"
                        + " localhost or 127.0.0.1.");
    }

    static HttpResponse foreignOrigin() {
        return problem(
                403,
                "origin-not-local",
                "The request comes from another site",
                "Without a token the admin API answers no requests from pages of other sites.");
    }

    public static HttpResponse badRequest(String flaw) {
        return problem(
                400,
                "bad-request",
                "Not a proper request",
                "The request was refused: " + flaw + ". Nothing was changed.");
    }

    static HttpResponse noSuchResource() {
        return problem(
                404,
                "no-such-resource",
                "There is no such resource",
                "The admin API has /admin/v1/status, /admin/v1/keys, /admin/v1/keys/{key}, and below that /resolve and"
                        + " /release.");
    }

    static HttpResponse wrongMethod(String allowed) {
        HttpResponse problem =
                problem(405, "method-not-allowed", "Not with this method", "This resource knows " + allowed + " only.");
        return new HttpResponse(405, problem.headers().with("Allow", allowed), problem.body());
    }

    static HttpResponse keyUnknown(String detail) {
        return problem(404, "key-unknown", "There is no such key", detail);
    }

    static HttpResponse ambiguousKey(List<KeyId> candidates) {
        return problem(
                409,
                "ambiguous-key",
                "Several operations have such a key",
                "Name the operation, and the tenant where there are several: ?operation=…&tenant=…",
                out -> writeCandidates(candidates, out));
    }

    private static void writeCandidates(List<KeyId> candidates, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("candidates");
        for (KeyId id : candidates) {
            out.writeStartObject();
            out.writeStringField("tenant", id.tenant());
            out.writeStringField("operation", id.operation());
            out.writeStringField("key", id.key());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    static HttpResponse notInDoubt(String state, KeyRecord record) {
        return problem(
                409,
                "not-in-doubt",
                "The key is not in doubt",
                "The key is " + state + ", so there is nothing to end. Nothing was changed.",
                out -> writeState(state, record, out));
    }

    static HttpResponse stillRunning(String state, KeyRecord record) {
        return problem(
                409,
                "still-running",
                "An attempt holds the key",
                "An attempt is running and renews its lease. Wait for it; or, when it is certain that it does nothing"
                        + " any more, release the key with force: if it does, the operation may happen twice. Nothing"
                        + " was changed.",
                out -> writeState(state, record, out));
    }

    static HttpResponse tokenMoved(String state, KeyRecord record) {
        return problem(
                409,
                "superseded",
                "The key has moved on",
                "The key now has another token than the one given: someone was let in since. Look at it again. Nothing"
                        + " was changed.",
                out -> writeState(state, record, out));
    }

    private static void writeState(String state, KeyRecord record, JsonGenerator out) throws IOException {
        out.writeStringField("state", state);
        out.writeNumberField("token", record.token());
        out.writeStringField("since", record.since().toString());
    }

    static HttpResponse storeUnavailable(StoreException failure) {
        boolean open = failure.applied() == StoreException.Applied.UNKNOWN;
        HttpResponse problem = problem(
                503,
                "store-unavailable",
                "The store of keys did not answer",
                open
                        ? "Whether the change was made is not known. Look at the key again before anything else."
                        : "Nothing was changed. Try again.");
        return new HttpResponse(503, problem.headers().with("Retry-After", "1"), problem.body());
    }

    public static HttpResponse stopping() {
        return problem(503, "stopping", "The gateway is stopping", "Nothing was changed. Try again.");
    }

    /** For what should never happen. */
    public static HttpResponse internalError() {
        return problem(
                500,
                "internal-error",
                "The admin API failed",
                "How far the request got is not known. The log says more. Look at the key before anything else.");
    }

    private static HttpResponse problem(int status, String name, String title, String detail) {
        return problem(status, name, title, detail, out -> {});
    }

    private static HttpResponse problem(int status, String name, String title, String detail, Members more) {
        return JsonAnswer.of(status, "application/problem+json", out -> {
            out.writeStringField("type", "urn:semel:problem:" + name);
            out.writeStringField("title", title);
            out.writeNumberField("status", status);
            out.writeStringField("detail", detail);
            ErrorMember.write(name, detail, out);
            more.write(out);
        });
    }
}
