package dev.semel.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.key.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Shows recorded outcomes in JSON: a JSON value as it was given, an HTTP response as an object. */
public final class OutcomeWriter {
    private OutcomeWriter() {}

    /** As a member of the object that is being written: {@code outcome} or {@code response}, as it was recorded. */
    static void member(Outcome outcome, JsonGenerator out) throws IOException {
        out.writeFieldName(JsonOutcome.isJson(outcome) ? "outcome" : "response");
        value(outcome, out);
    }

    public static void value(Outcome outcome, JsonGenerator out) throws IOException {
        if (JsonOutcome.isJson(outcome)) out.writeRawValue(JsonOutcome.text(outcome));
        else response(ResponseCodec.decode(outcome), out);
    }

    private static void response(StoredResponse stored, JsonGenerator out) throws IOException {
        HttpResponse response = stored.response();
        out.writeStartObject();
        out.writeNumberField("status", response.status());
        out.writeArrayFieldStart("headers");
        for (Headers.Field field : response.headers()) {
            out.writeStartArray();
            out.writeString(field.name());
            out.writeString(field.value());
            out.writeEndArray();
        }
        out.writeEndArray();
        if (stored.bodyKept()) body(response, out);
        else out.writeNullField("body");
        out.writeEndObject();
    }

    private static void body(HttpResponse response, JsonGenerator out) throws IOException {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        boolean isText = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), response.body());
        if (isText) out.writeStringField("body", text);
        else out.writeStringField("bodyBase64", Base64.getEncoder().encodeToString(response.body()));
    }
}
