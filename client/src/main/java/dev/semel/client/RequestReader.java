package dev.semel.client;

import dev.semel.client.ledger.Call;
import dev.semel.client.ledger.Secrets;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Call} of a request: its body is read whole, so that it can be sent again. Refuses what cannot be kept. */
record RequestReader(int bodyLimit) {
    static final String KEY_HEADER = "Idempotency-Key";

    private static final long LONGEST_READ_SECONDS = 30;

    /** @param key the key that the request itself carries; null when it has none */
    record Read(Call call, @Nullable String key) {}

    /** @throws IllegalArgumentException when the request cannot be written down; says what to change */
    Read read(HttpRequest request) {
        checkUri(request.uri());
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(request.headers().map());
        List<String> keys = headers.remove(KEY_HEADER);
        if (keys != null && keys.size() > 1)
            throw new IllegalArgumentException("The request has several " + KEY_HEADER + " headers.");
        for (String name : headers.keySet()) checkHeader(name);
        Call call = new Call(request.method(), request.uri(), headers, body(request));
        return new Read(call, keys == null ? null : Keys.checked(keys.getFirst()));
    }

    private static void checkUri(URI uri) {
        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https"))
            throw new IllegalArgumentException("The URI must begin with http:// or https://, but is " + uri + ".");
        if (uri.getRawUserInfo() != null)
            throw new IllegalArgumentException("The URI must not hold a user or password, for it is written to the"
                    + " ledger. Supply an Authorization header by credentials(…).");
    }

    private static void checkHeader(String name) {
        if (Secrets.isSecret(name))
            throw new IllegalArgumentException("The header " + name + " is a secret, and secrets are not written to the"
                    + " ledger. Supply it by credentials(…), which is asked for every try.");
    }

    private byte[] body(HttpRequest request) {
        HttpRequest.BodyPublisher publisher = request.bodyPublisher().orElse(null);
        if (publisher == null) return new byte[0];
        if (publisher.contentLength() > bodyLimit) throw tooLarge();
        LimitedBody body = new LimitedBody(bodyLimit);
        publisher.subscribe(body.forRequest());
        try {
            LimitedBody.Bytes read = body.result().get(LONGEST_READ_SECONDS, TimeUnit.SECONDS);
            if (!read.whole()) throw tooLarge();
            return read.bytes();
        } catch (ExecutionException e) {
            throw new IllegalArgumentException("The body of the request could not be read.", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalArgumentException("The body of the request did not come in time.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalArgumentException("The thread was interrupted before the body was read.", e);
        }
    }

    private IllegalArgumentException tooLarge() {
        return new IllegalArgumentException(
                "The body of the request may have " + bodyLimit + " bytes at most. Nothing was written or sent.");
    }
}
