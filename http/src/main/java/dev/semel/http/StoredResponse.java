package dev.semel.http;

/**
 * An answer as it is recorded: what its replays say.
 *
 * @param bodyKept false when the body was too large to keep, or cannot be read any more; then the body here is empty,
 *     and a replay says so in its place
 */
public record StoredResponse(HttpResponse response, boolean bodyKept) {
    private static final byte[] NO_BODY = {};

    public static StoredResponse whole(HttpResponse response) {
        return new StoredResponse(response, true);
    }

    public static StoredResponse withoutBody(int status, Headers headers) {
        return new StoredResponse(new HttpResponse(status, headers, NO_BODY), false);
    }
}
