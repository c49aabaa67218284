package dev.semel.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.Semel;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.store.Seen;
import dev.semel.core.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/** What became of a key, for a client that lost its answer. Blocks; for use by any thread. */
public final class KeyStatus {
    private static final JsonFactory JSON = new JsonFactory();

    private final Semel semel;

    public KeyStatus(Semel semel) {
        this.semel = semel;
    }

    /** @param wait how long to wait for an attempt in flight to end; zero not to */
    public HttpResponse of(KeyId id, Duration wait) {
        try {
            Seen seen = semel.find(id, wait);
            KeyRecord record = seen == null ? null : seen.record().asOf(seen.now());
            return seen == null || record == null ? Problem.keyUnknown() : answer(200, record, seen.now());
        } catch (StoreException e) {
            return Problem.storeUnavailable();
        }
    }

    private static HttpResponse answer(int status, KeyRecord record, Instant now) {
        Headers headers = Headers.NONE.with("Content-Type", "application/json").with("Cache-Control", "no-store");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("state", word(record.state(), now));
            out.writeStringField("since", record.since().toString());
            out.writeNumberField("attempt", record.attempt());
            switch (record.state()) {
                case KeyState.Done done -> {
                    out.writeStringField("expires", done.replayUntil().toString());
                    writeResponse(ResponseCodec.decode(done.outcome()), out);
                }
                case KeyState.InDoubt doubt -> out.writeStringField("reason", doubt.reason());
                default -> {}
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return new HttpResponse(status, headers, bytes.toByteArray());
    }

    /** A holder whose lease ran out will not be waited for: to the client, that is already a doubt. */
    private static String word(KeyState state, Instant now) {
        return switch (state) {
            case KeyState.Held held -> now.isBefore(held.leaseUntil()) ? "in-progress" : "in-doubt";
            case KeyState.Done done -> "done";
            case KeyState.InDoubt doubt -> "in-doubt";
            case KeyState.Spent spent -> "spent";
            case KeyState.Free free -> "free";
        };
    }

    private static void writeResponse(StoredResponse stored, JsonGenerator out) throws IOException {
        HttpResponse response = stored.response();
        out.writeObjectFieldStart("response");
        out.writeNumberField("status", response.status());
        out.writeArrayFieldStart("headers");
        for (Headers.Field field : response.headers()) {
            out.writeStartArray();
            out.writeString(field.name());
            out.writeString(field.value());
            out.writeEndArray();
        }
        out.writeEndArray();
        if (stored.bodyKept()) writeBody(response, out);
        else out.writeNullField("body");
        out.writeEndObject();
    }

    private static void writeBody(HttpResponse response, JsonGenerator out) throws IOException {
        String text = new String(response.body(), StandardCharsets.UTF_8);
        boolean isText = Arrays.equals(text.getBytes(StandardCharsets.UTF_8), response.body());
        if (isText) out.writeStringField("body", text);
        else out.writeStringField("bodyBase64", Base64.getEncoder().encodeToString(response.body()));
    }
}
