package dev.semel.examples.clients;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Every client of the table in docs/clients.md, by its name there. */
enum Clients {
    JDK("`java.net.http.HttpClient`", JdkClient::new),
    URL_CONNECTION("`HttpURLConnection`", () -> Clients::urlConnection),
    OK_HTTP("OkHttp 5", () -> okHttp(new OkHttpClient())),
    OK_HTTP_CAREFUL(
            "OkHttp 5, `retryOnConnectionFailure(false)`",
            () -> okHttp(
                    new OkHttpClient.Builder().retryOnConnectionFailure(false).build())),
    APACHE("Apache HttpClient 5", () -> new ApacheClient(HttpClients.createDefault())),
    APACHE_CAREFUL(
            "Apache HttpClient 5, `disableAutomaticRetries()`",
            () -> new ApacheClient(
                    HttpClients.custom().disableAutomaticRetries().build())),
    SPRING_ON_JDK("Spring `RestClient` on the JDK's client", () -> spring(new JdkClientHttpRequestFactory())),
    SPRING_ON_APACHE(
            "Spring `RestClient` with Apache on the class path",
            () -> spring(new HttpComponentsClientHttpRequestFactory())),
    CURL("`curl`", () -> new Curl(List.of())),
    CURL_RETRY("`curl --retry 1`", () -> new Curl(List.of("--retry", "1"))),
    CURL_RETRY_ALL(
            "`curl --retry 1 --retry-all-errors`", () -> new Curl(List.of("--retry", "1", "--retry-all-errors")));

    private static final String JSON = "{\"amount\":1999}";

    final String title;
    private final Supplier<Client> fresh;

    Clients(String title, Supplier<Client> fresh) {
        this.title = title;
        this.fresh = fresh;
    }

    /** One without any connections. */
    Client fresh() {
        return fresh.get();
    }

    private static final class JdkClient implements Client {
        private final HttpClient http = HttpClient.newHttpClient();

        @Override
        public int post(URI uri, String key) throws IOException {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", key)
                    .POST(HttpRequest.BodyPublishers.ofString(JSON))
                    .build();
            try {
                return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        @Override
        public void close() {
            http.close();
        }
    }

    private static int urlConnection(URI uri, String key) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setRequestProperty("Content-Type", "application/json");
        connection.setRequestProperty("Idempotency-Key", key);
        connection.setDoOutput(true);
        connection.getOutputStream().write(JSON.getBytes(UTF_8));
        int status = connection.getResponseCode();
        // Read to the end, or the connection is not used again.
        try (var body = status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
            if (body != null) body.readAllBytes();
        }
        return status;
    }

    private static Client okHttp(OkHttpClient http) {
        return (uri, key) -> {
            Request request = new Request.Builder()
                    .url(uri.toURL())
                    .header("Idempotency-Key", key)
                    .post(RequestBody.create(JSON, MediaType.get("application/json")))
                    .build();
            try (Response response = http.newCall(request).execute()) {
                response.body().bytes();
                return response.code();
            }
        };
    }

    private record ApacheClient(CloseableHttpClient http) implements Client {
        @Override
        public int post(URI uri, String key) throws IOException {
            HttpPost request = new HttpPost(uri);
            request.setHeader("Idempotency-Key", key);
            request.setEntity(new StringEntity(JSON, ContentType.APPLICATION_JSON));
            return http.execute(request, response -> {
                if (response.getEntity() != null)
                    response.getEntity().getContent().readAllBytes();
                return response.getCode();
            });
        }

        @Override
        public void close() throws IOException {
            http.close();
        }
    }

    private static Client spring(ClientHttpRequestFactory factory) {
        RestClient rest = RestClient.builder().requestFactory(factory).build();
        return (uri, key) -> {
            try {
                return rest.post()
                        .uri(uri)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", key)
                        .body(JSON)
                        .exchange((request, response) -> {
                            response.getBody().readAllBytes();
                            return response.getStatusCode().value();
                        });
            } catch (ResourceAccessException e) {
                throw new IOException(e);
            }
        };
    }

    private record Curl(List<String> options) implements Client {
        @Override
        public int post(URI uri, String key) throws IOException {
            return run(line(uri, key));
        }

        @Override
        public int postTwice(URI uri, String key) throws IOException {
            List<String> line = line(uri, "first-" + key);
            line.add("--next");
            line.addAll(line(uri, key).subList(1, line(uri, key).size()));
            return run(line);
        }

        private List<String> line(URI uri, String key) {
            List<String> line = new ArrayList<>(List.of("curl", "-s"));
            line.addAll(options);
            line.addAll(List.of("-w", "\n%{http_code}\n", "-H", "Content-Type: application/json"));
            line.addAll(List.of("-H", "Idempotency-Key: " + key, "-d", JSON, uri.toString()));
            return line;
        }

        private static int run(List<String> line) throws IOException {
            try {
                Command ended = Command.run(Path.of("."), line.toArray(String[]::new));
                String[] statuses = ended.said().strip().split("\n");
                if (ended.exit() != 0) throw new IOException("curl ended with " + ended.exit());
                return Integer.parseInt(statuses[statuses.length - 1]);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }
}
