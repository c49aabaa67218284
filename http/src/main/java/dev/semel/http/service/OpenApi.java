package dev.semel.http.service;

import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The description of the service API and of the status of a key, as OpenAPI 3.1. */
public final class OpenApi {
    public static final String PATH = "/.semel/v1/openapi.json";

    private static final HttpResponse DOCUMENT = new HttpResponse(
            200,
            Headers.NONE.with("Content-Type", "application/json").with("Cache-Control", "max-age=3600"),
            read("openapi.json"));

    private OpenApi() {}

    public static HttpResponse answer() {
        return DOCUMENT;
    }

    private static byte[] read(String resource) {
        try (InputStream in = OpenApi.class.getResourceAsStream(resource)) {
            if (in == null) throw new IllegalStateException("The resource " + resource + " is missing.");
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("The resource " + resource + " cannot be read.", e);
        }
    }
}
