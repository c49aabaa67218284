package dev.semel.http.tenant;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One GET with an end to it: in time, for the whole answer and not only its head, and in bytes. */
final class JwksFetch {
    private final URI url;
    private final Duration patience;
    private final HttpClient client;

    JwksFetch(URI url, Duration patience) {
        this.url = url;
        this.patience = patience;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(patience)
                .build();
    }

    URI url() {
        return url;
    }

    byte[] jwks() throws IOException {
        HttpRequest request = HttpRequest.newBuilder(url)
                .header("Accept", "application/jwk-set+json, application/json")
                .build();
        CompletableFuture<HttpResponse<byte[]>> answer =
                client.sendAsync(request, head -> new LimitedBody(SigningKeys.MAX_JWKS_BYTES));
        try {
            HttpResponse<byte[]> response = answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (response.statusCode() != 200) throw new IOException("status " + response.statusCode());
            return response.body();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("no whole answer within " + patience.toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            answer.cancel(true);
        }
    }
}
