package dev.semel.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.http.Headers;
import dev.semel.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Answers in JSON, which nobody keeps. */
final class JsonAnswer {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonAnswer() {}

    /** Writes the members of one object. */
    interface Members {
        void write(JsonGenerator out) throws IOException;
    }

    static HttpResponse of(int status, String contentType, Members members) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            members.write(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        Headers headers = Headers.NONE.with("Content-Type", contentType).with("Cache-Control", "no-store");
        return new HttpResponse(status, headers, bytes.toByteArray());
    }

    static HttpResponse ok(Members members) {
        return of(200, "application/json", members);
    }
}
