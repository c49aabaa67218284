package dev.semel.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.key.History;
import dev.semel.core.key.KeyId;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import dev.semel.core.key.Outcome;
import dev.semel.http.HttpResponse;
import dev.semel.http.OutcomeWriter;
import dev.semel.http.OutcomeWriter.Detail;
import java.io.IOException;
import java.time.Instant;

/** All that is known about one key. What was answered is told by its size alone, unless the body is asked for. */
final class KeyStory {
    private static final String SILENT = "the holder fell silent: its lease ran out before it said what happened";

    private KeyStory() {}

    static HttpResponse of(KeyRecord record, Instant now, boolean withBody) {
        return JsonAnswer.ok(out -> {
            writeId(record.id(), out);
            out.writeStringField("hash", record.id().hash());
            out.writeStringField("state", StateWord.of(record.state(), now));
            out.writeStringField("since", record.since().toString());
            out.writeStringField("now", now.toString());
            out.writeNumberField("attempt", record.attempt());
            out.writeNumberField("token", record.token());
            out.writeStringField("fingerprint", record.fingerprint().toString());
            if (record.remote()) out.writeStringField("heldBy", "a client of the service API");
            writeState(record, now, out);
            out.writeBooleanField("hasMemo", !record.memo().isEmpty());
            writeHistory(record.history(), out);
            if (record.state() instanceof KeyState.Done done) writeOutcome(done.outcome(), withBody, out);
        });
    }

    static void writeId(KeyId id, JsonGenerator out) throws IOException {
        out.writeStringField("tenant", id.tenant());
        out.writeStringField("operation", id.operation());
        out.writeStringField("key", id.key());
    }

    private static void writeState(KeyRecord record, Instant now, JsonGenerator out) throws IOException {
        switch (record.state()) {
            case KeyState.Free free ->
                out.writeStringField("forgottenAt", free.forgetAt().toString());
            case KeyState.Held held -> {
                out.writeStringField("holder", held.holder());
                out.writeStringField("leaseUntil", held.leaseUntil().toString());
                if (held.isSilent(now)) out.writeStringField("reason", SILENT);
            }
            case KeyState.Done done -> {
                out.writeStringField("expires", done.replayUntil().toString());
                out.writeStringField("forgottenAt", done.forgetAt().toString());
            }
            case KeyState.InDoubt doubt -> {
                out.writeStringField("reason", doubt.reason());
                writeNextLook(record, doubt, out);
            }
            case KeyState.Spent spent -> {
                out.writeStringField("doneAt", spent.doneAt().toString());
                out.writeStringField("forgottenAt", spent.forgetAt().toString());
            }
        }
    }

    /** Nobody asks about what a client of the service API left; it is forgotten when its time comes. */
    private static void writeNextLook(KeyRecord record, KeyState.InDoubt doubt, JsonGenerator out) throws IOException {
        if (!record.remote()) out.writeNumberField("probes", doubt.probes());
        out.writeStringField(
                record.remote() ? "forgottenAt" : "nextProbe", doubt.nextProbe().toString());
    }

    private static void writeHistory(History history, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart("history");
        for (History.Remark remark : history.remarks()) {
            out.writeStartObject();
            out.writeStringField("at", remark.at().toString());
            out.writeStringField("by", remark.by());
            out.writeStringField("what", remark.what());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private static void writeOutcome(Outcome outcome, boolean withBody, JsonGenerator out) throws IOException {
        out.writeStringField("outcomeFormat", OutcomeWriter.format(outcome));
        out.writeNumberField("outcomeBytes", outcome.payload().length);
        OutcomeWriter.member(outcome, withBody ? Detail.WITH_BODY : Detail.WITHOUT_BODY, out);
    }
}
