package dev.semel.http.service;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes the answers that are no problems. */
final class JsonAnswer {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Headers HEADERS =
            Headers.NONE.with("Content-Type", "application/json").with("Cache-Control", "no-store");

    private JsonAnswer() {}

    /** What stands between the braces. */
    interface Content {
        void write(JsonGenerator out) throws IOException;
    }

    static HttpResponse of(int status, Content content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            content.write(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return new HttpResponse(status, HEADERS, bytes.toByteArray());
    }
}
