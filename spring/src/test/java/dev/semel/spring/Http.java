package dev.semel.spring;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.ApplicationContext;

/** Asks a started application over a real socket. */
public final class Http implements AutoCloseable {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;

    public Http(ApplicationContext application) {
        this.address = "http://127.0.0.1:" + application.getEnvironment().getRequiredProperty("local.server.port");
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return client.send(request(path, headers).build(), HttpResponse.BodyHandlers.ofString());
    }

    public HttpResponse<String> post(String path, String body, String... headers)
            throws IOException, InterruptedException {
        return send("POST", path, "application/json", body, headers);
    }

    public HttpResponse<String> put(String path, String body, String... headers)
            throws IOException, InterruptedException {
        return send("PUT", path, "application/json", body, headers);
    }

    public HttpResponse<String> send(String method, String path, String type, String body, String... headers)
            throws IOException, InterruptedException {
        return client.send(sending(method, path, type, body, headers), HttpResponse.BodyHandlers.ofString());
    }

    /** Without saying before how long the body is. */
    public HttpResponse<String> sendInChunks(String method, String path, String type, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest request = request(path, headers)
                .header("Content-Type", type)
                .method(
                        method,
                        HttpRequest.BodyPublishers.ofInputStream(
                                () -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    public CompletableFuture<HttpResponse<String>> postLater(String path, String body, String... headers) {
        return client.sendAsync(
                sending("POST", path, "application/json", body, headers), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest sending(String method, String path, String type, String body, String... headers) {
        return request(path, headers)
                .header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    @Override
    public void close() {
        client.close();
    }
}
