package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.admin.JsonTree;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sends single requests to the admin API of a gateway. */
final class AdminClient {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final URI gateway;
    private final @Nullable String token;

    AdminClient(URI gateway, @Nullable String token) {
        this.gateway = gateway;
        this.token = token;
    }

    /** The answer: its JSON as text, and parsed. */
    record Reply(int status, String text, Map<?, ?> members) {
        boolean isRefusal() {
            return status >= 400;
        }
    }

    Reply get(String target) {
        return send(request(target).GET().build());
    }

    Reply post(String target, byte[] json) {
        return send(request(target)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(json))
                .build());
    }

    private HttpRequest.Builder request(String target) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(gateway + target)).timeout(TIMEOUT);
        try {
            return token == null ? request : request.header("Authorization", "Bearer " + token);
        } catch (IllegalArgumentException e) {
            throw new UsageProblem("The admin token holds what cannot stand in a header.");
        }
    }

    private Reply send(HttpRequest request) {
        try (HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(TIMEOUT)
                .build()) {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            Map<?, ?> members = JsonTree.readObject(response.body());
            return new Reply(response.statusCode(), new String(response.body(), UTF_8), members);
        } catch (IllegalArgumentException e) {
            throw new UnreachableProblem("What answers at " + gateway + " is not the admin API of a gateway.");
        } catch (IOException e) {
            String why = e.getMessage() == null ? "no connection" : e.getMessage();
            throw new UnreachableProblem("The admin API at " + gateway + " cannot be reached (" + why
                    + "). Is the gateway running? Its address is given with --admin HOST:PORT.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnreachableProblem("Interrupted before an answer came.");
        }
    }

    static String query(Map<String, String> values) {
        return values.isEmpty()
                ? ""
                : values.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
