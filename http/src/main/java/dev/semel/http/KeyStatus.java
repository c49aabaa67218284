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
import java.time.Duration;
import java.time.Instant;

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
            return seen == null || record == null ? Problem.keyUnknown() : answer(record, seen.now());
        } catch (StoreException e) {
            return Problem.storeUnavailable();
        }
    }

    private static HttpResponse answer(KeyRecord record, Instant now) {
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
                    OutcomeWriter.member(done.outcome(), OutcomeWriter.Detail.WITH_BODY, out);
                }
                case KeyState.InDoubt doubt -> out.writeStringField("reason", doubt.reason());
                default -> {}
            }
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return new HttpResponse(200, headers, bytes.toByteArray());
    }

    /** A holder whose lease ran out will not be waited for: to the client, that is already a doubt, or a free key. */
    private static String word(KeyState state, Instant now) {
        return switch (state instanceof KeyState.Held held ? held.countsAs(now) : state.kind()) {
            case HELD -> "in-progress";
            case DONE -> "done";
            case IN_DOUBT -> "in-doubt";
            case SPENT -> "spent";
            case FREE -> "free";
        };
    }
}
