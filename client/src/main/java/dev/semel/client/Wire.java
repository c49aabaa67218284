package dev.semel.client;

import dev.semel.client.ledger.Call;
import dev.semel.client.ledger.Entry;
import dev.semel.client.ledger.Response;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/** Sends a request one time, and says exactly what is known about it then. */
record Wire(HttpClient http, Credentials credentials, boolean quotedKeys, int responseLimit) {

    /** @param timeout for all of it, from connecting to the last byte of the answer */
    Try send(Entry.Pending entry, Duration timeout) {
        HttpRequest request;
        try {
            request = request(entry);
        } catch (Exception e) {
            if (e instanceof InterruptedException) Thread.currentThread().interrupt();
            return new Try.NoCredentials(e);
        }
        CompletableFuture<HttpResponse<LimitedBody.Bytes>> sent =
                http.sendAsync(request, head -> new LimitedBody(limitOf(head.statusCode())));
        try {
            return new Try.Answered(response(sent.get(timeout.toNanos(), TimeUnit.NANOSECONDS)));
        } catch (ExecutionException e) {
            return failed(e.getCause());
        } catch (TimeoutException e) {
            sent.cancel(true);
            return new Try.NoAnswer(e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            return new Try.Interrupted(e);
        }
    }

    /** What a failure says about the key has to be read, whatever the caller wants to keep of answers. */
    private int limitOf(int status) {
        return status < 400 ? responseLimit : Math.max(responseLimit, Problem.LARGEST);
    }

    private HttpRequest request(Entry.Pending entry) throws Exception {
        Call call = entry.call();
        // In the clear, HTTP/2 would begin with a request to upgrade, which some servers do not understand.
        boolean encrypted = "https".equalsIgnoreCase(call.uri().getScheme());
        HttpRequest.Builder builder = HttpRequest.newBuilder(call.uri())
                .version(encrypted ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .method(call.method(), publisher(call));
        Map<String, String> secrets = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        secrets.putAll(credentials.headersFor(call));
        if (secrets.containsKey(RequestReader.KEY_HEADER))
            throw new IllegalArgumentException("Credentials must not set " + RequestReader.KEY_HEADER + ".");
        call.headers().forEach((name, values) -> {
            if (!secrets.containsKey(name)) for (String value : values) builder.header(name, value);
        });
        secrets.forEach(builder::setHeader);
        return builder.setHeader(RequestReader.KEY_HEADER, quotedKeys ? '"' + entry.key() + '"' : entry.key())
                .build();
    }

    private static HttpRequest.BodyPublisher publisher(Call call) {
        return call.body().length == 0
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(call.body());
    }

    private static Response response(HttpResponse<LimitedBody.Bytes> answer) {
        Map<String, List<String>> headers = new TreeMap<>(answer.headers().map());
        headers.keySet().removeIf(name -> name.startsWith(":"));
        LimitedBody.Bytes body = answer.body();
        Response whole = new Response(answer.statusCode(), headers, body.bytes(), body.whole());
        if (!"response-not-kept".equals(Problem.of(whole).semel())) return whole;
        return new Response(whole.status(), whole.headers(), whole.body(), false);
    }

    private static Try failed(@Nullable Throwable cause) {
        Exception failure = cause instanceof Exception it ? it : new IllegalStateException(cause);
        boolean notSent = failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException
                || failure instanceof SSLHandshakeException;
        return notSent ? new Try.NotSent(failure) : new Try.NoAnswer(failure);
    }
}
