package dev.semel.http;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.key.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;

/**
 * Shows recorded outcomes in JSON, from the proxy and from the service API alike: an HTTP response as the object
 * {@code response}, a JSON value as it was given as {@code outcome}, and anything else as {@code outcome} with its format
 * and bytes.
 */
public final class OutcomeWriter {
    private OutcomeWriter() {}

    /** How much is shown. */
    public enum Detail {
        WITH_BODY,
        /** Neither bodies nor values, which may be large or secret: only how large they are. */
        WITHOUT_BODY
    }

    /** The name of its format. */
    public static String format(Outcome outcome) {
        Outcome.Format format = outcome.format();
        if (format != null) return format.name().toLowerCase(Locale.ROOT).replace('_', '-');
        boolean sealed = outcome.readable().length > 0 && (outcome.readable()[0] & 0xff) == Outcome.SEALED;
        return sealed ? "encrypted" : "unknown";
    }

    /** As a member of the object that is being written. */
    public static void member(Outcome outcome, Detail detail, JsonGenerator out) throws IOException {
        if (outcome.format() == Outcome.Format.RESPONSE) {
            out.writeFieldName("response");
            response(outcome, detail, out);
        } else if (detail == Detail.WITH_BODY) {
            out.writeFieldName("outcome");
            value(outcome, out);
        }
    }

    /** As a value: of a response, the same object as {@link #member} writes. */
    public static void value(Outcome outcome, JsonGenerator out) throws IOException {
        if (outcome.format() == Outcome.Format.RESPONSE) response(outcome, Detail.WITH_BODY, out);
        else if (JsonOutcome.isJson(outcome)) out.writeRawValue(JsonOutcome.text(outcome));
        else other(outcome, out);
    }

    private static void other(Outcome outcome, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeStringField("format", format(outcome));
        if (outcome.isShredded()) out.writeNullField("base64");
        else out.writeStringField("base64", Base64.getEncoder().encodeToString(outcome.payload()));
        out.writeEndObject();
    }

    private static void response(Outcome outcome, Detail detail, JsonGenerator out) throws IOException {
        StoredResponse stored;
        try {
            stored = ResponseCodec.decode(outcome);
        } catch (UnreadableOutcomeException e) {
            out.writeNull();
            return;
        }
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
        out.writeBooleanField("bodyKept", stored.bodyKept());
        out.writeNumberField("bodyBytes", response.body().length);
        if (detail == Detail.WITH_BODY) {
            if (stored.bodyKept()) body(response, out);
            else out.writeNullField("body");
        }
        out.writeEndObject();
    }

    private static void body(HttpResponse response, JsonGenerator out) throws IOException {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        boolean isText = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), response.body());
        if (isText) out.writeStringField("body", text);
        else out.writeStringField("bodyBase64", Base64.getEncoder().encodeToString(response.body()));
    }
}
