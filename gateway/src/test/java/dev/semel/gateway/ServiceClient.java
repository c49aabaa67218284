package dev.semel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** A client of the service API that holds every answer against the API's description. */
final class ServiceClient implements AutoCloseable {
    static final String CLAIMS = "/.semel/v1/claims";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
    private final String gateway;
    private final String header;
    private final String secret;
    private final ApiDocument document;

    ServiceClient(int port) throws Exception {
        this.gateway = "http://127.0.0.1:" + port;
        this.header = "";
        this.secret = "";
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway + "/.semel/v1/openapi.json"))
                .build();
        this.document =
                new ApiDocument(http.send(request, BodyHandlers.ofString()).body());
    }

    private ServiceClient(int port, String header, String secret, ApiDocument document) {
        this.gateway = "http://127.0.0.1:" + port;
        this.header = header;
        this.secret = secret;
        this.document = document;
    }

    /** A client of another gateway, held against the same description; without an API key when that is empty. */
    ServiceClient of(int port, String apiKey) {
        return of(port, "X-Api-Key", apiKey);
    }

    /** The same with a header of another name. */
    ServiceClient of(int port, String header, String secret) {
        return new ServiceClient(port, header, secret, document);
    }

    ApiDocument document() {
        return document;
    }

    record Answer(int status, HttpHeaders headers, String text) {
        JsonNode json() {
            try {
                return JSON.readTree(text);
            } catch (Exception e) {
                throw new AssertionError(text, e);
            }
        }

        String get(String member) {
            return json().path(member).asText();
        }

        long token() {
            return json().path("token").asLong();
        }

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        Answer is(int expected) {
            assertEquals(expected, status, text);
            return this;
        }

        /** A problem, by its short name. */
        Answer is(int expected, String problem) {
            is(expected);
            assertEquals("urn:semel:problem:" + problem, get("type"), text);
            return this;
        }
    }

    Answer send(String method, String path, String json) throws Exception {
        return send(method, path, json, "application/json");
    }

    Answer send(String method, String path, String body, String contentType) throws Exception {
        HttpRequest request = request(method, path, body, contentType).build();
        return answer(method, path, body, http.send(request, BodyHandlers.ofString()));
    }

    /** Asks first whether the body may be sent at all. */
    Answer sendLarge(String method, String path, String json) throws Exception {
        HttpRequest request = request(method, path, json, "application/json")
                .expectContinue(true)
                .build();
        return answer(method, path, json, http.send(request, BodyHandlers.ofString()));
    }

    /** On a connection of its own. */
    CompletableFuture<Answer> start(String method, String path, String json) {
        return http.sendAsync(request(method, path, json, "application/json").build(), BodyHandlers.ofString())
                .thenApply(response -> {
                    try {
                        return answer(method, path, json, response);
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                });
    }

    private HttpRequest.Builder request(String method, String path, String body, String contentType) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(gateway + path)).timeout(Duration.ofSeconds(60));
        if (!contentType.isEmpty()) request.header("Content-Type", contentType);
        if (!secret.isEmpty()) request.header(header, secret);
        return request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    }

    private Answer answer(String method, String path, String asked, HttpResponse<String> response) throws Exception {
        Answer answer = new Answer(response.statusCode(), response.headers(), response.body());
        document.check(method, path, asked, answer.status(), answer.headers(), answer.text());
        return answer;
    }

    Answer claim(String json) throws Exception {
        return send("POST", CLAIMS, json);
    }

    Answer complete(Answer granted, String outcome) throws Exception {
        return say("PUT", granted, "outcome", ", \"outcome\": " + outcome);
    }

    Answer renew(Answer granted, String lease) throws Exception {
        return say("POST", granted, "renew", ", \"lease\": \"" + lease + "\"");
    }

    Answer doubt(Answer granted, String reason) throws Exception {
        return say("POST", granted, "doubt", ", \"reason\": \"" + reason + "\"");
    }

    Answer release(Answer granted) throws Exception {
        return send("DELETE", at(granted) + "?token=" + granted.token(), "", "");
    }

    private Answer say(String method, Answer granted, String word, String more) throws Exception {
        return send(method, at(granted) + "/" + word, "{\"token\": " + granted.token() + more + "}");
    }

    static String at(Answer granted) {
        return CLAIMS + "/" + granted.get("id");
    }

    @Override
    public void close() {
        http.close();
    }
}
