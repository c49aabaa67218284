package dev.semel.torture.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.torture.check.CheckResult;
import dev.semel.torture.check.Violation;
import dev.semel.torture.history.Event;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Writes report.json; {@link Report} says what is in it. */
final class ReportJson {
    private final JsonGenerator json;

    private ReportJson(JsonGenerator json) {
        this.json = json;
    }

    static void write(Path file, RunFacts facts, Counts counts, CheckResult result) throws IOException {
        try (JsonGenerator json =
                new JsonFactory().createGenerator(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
            new ReportJson(json.useDefaultPrettyPrinter()).report(facts, counts, result);
        }
    }

    private void report(RunFacts facts, Counts counts, CheckResult result) throws IOException {
        json.writeStartObject();
        json.writeStringField("verdict", result.isClean() ? "clean" : "broken");
        json.writeNumberField("violationCount", result.count());
        json.writeNumberField("lossCount", result.lossCount());
        json.writeNumberField("seed", facts.seed());
        json.writeStringField("command", facts.command());
        json.writeStringField("store", facts.store());
        json.writeStringField("began", facts.began().toString());
        json.writeNumberField("seconds", facts.took().toMillis() / 1e3);
        texts("versions", facts.versions());
        texts("settings", facts.settings());
        counts(counts, result);
        faults(counts);
        laws(result);
        json.writeArrayFieldStart("violations");
        for (Violation it : result.violations()) violation(it);
        json.writeEndArray();
        json.writeArrayFieldStart("losses");
        for (Violation it : result.losses()) violation(it);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void texts(String name, Map<String, String> texts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> it : texts.entrySet()) json.writeStringField(it.getKey(), it.getValue());
        json.writeEndObject();
    }

    private void counts(Counts counts, CheckResult result) throws IOException {
        json.writeNumberField("operations", counts.operations);
        json.writeNumberField("keys", result.keys());
        json.writeNumberField("effects", counts.accepted);
        json.writeNumberField("effectsRefused", counts.refused);
        json.writeNumberField("duplicatesAbsorbed", counts.absorbed());
        json.writeObjectFieldStart("kinds");
        for (Map.Entry<AnswerKind, Long> it : counts.kinds.entrySet())
            json.writeNumberField(it.getKey().id(), it.getValue());
        json.writeEndObject();
        numbers("answers", counts.answers);
        numbers("unanswered", counts.unanswered);
    }

    private void numbers(String name, Map<String, Long> numbers) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, Long> it : numbers.entrySet()) json.writeNumberField(it.getKey(), it.getValue());
        json.writeEndObject();
    }

    private void faults(Counts counts) throws IOException {
        json.writeArrayFieldStart("faults");
        for (Event.Fault it : counts.faults) event(it);
        json.writeEndArray();
    }

    private void laws(CheckResult result) throws IOException {
        json.writeArrayFieldStart("laws");
        for (CheckResult.LawTally it : result.laws()) {
            json.writeStartObject();
            json.writeStringField("law", it.law());
            json.writeNumberField("keys", it.keys());
            json.writeNumberField("broken", it.broken());
            json.writeNumberField("lost", it.lost());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private void violation(Violation it) throws IOException {
        json.writeStartObject();
        json.writeStringField("law", it.law());
        json.writeStringField("key", it.key());
        json.writeStringField("what", it.what());
        events("events", it.events());
        events("history", it.history());
        json.writeEndObject();
    }

    private void events(String name, List<Event> events) throws IOException {
        json.writeArrayFieldStart(name);
        for (Event it : events) event(it);
        json.writeEndArray();
    }

    private void event(Event event) throws IOException {
        json.writeStartObject();
        json.writeStringField("event", event.getClass().getSimpleName());
        json.writeNumberField("at", event.at());
        switch (event) {
            case Event.Sent it -> {
                json.writeNumberField("call", it.call());
                json.writeNumberField("client", it.client());
                json.writeNumberField("payload", it.payload());
                json.writeStringField("promise", it.promise().name());
                json.writeStringField("gateway", it.gateway());
            }
            case Event.Answered it -> {
                json.writeNumberField("call", it.call());
                answer(it.status(), it.problem(), it.body());
                json.writeBooleanField("replayed", it.replayed());
            }
            case Event.Unanswered it -> {
                json.writeNumberField("call", it.call());
                json.writeStringField("how", it.how());
            }
            case Event.Effect it -> {
                json.writeNumberField("payload", it.payload());
                json.writeNumberField("token", it.token());
                json.writeNumberField("attempt", it.attempt());
                json.writeBooleanField("accepted", it.accepted());
                json.writeStringField("body", it.body());
            }
            case Event.Fault it -> {
                json.writeNumberField("until", it.until());
                json.writeStringField("kind", it.kind());
                json.writeStringField("target", it.target());
            }
            case Event.Settled it -> answer(it.status(), it.problem(), it.body());
        }
        json.writeEndObject();
    }

    private void answer(int status, String problem, String body) throws IOException {
        json.writeNumberField("status", status);
        json.writeStringField("problem", problem);
        json.writeStringField("body", body);
    }
}
