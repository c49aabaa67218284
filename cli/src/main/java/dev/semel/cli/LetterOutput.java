package dev.semel.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.messaging.letter.DeadLetter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Dead letters for a terminal, or as JSON. */
final class LetterOutput {
    private static final int SHOWN = 60;

    private LetterOutput() {}

    static List<String> table(List<DeadLetter> letters) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("ID", "PARKED", "TRIED", "BYTES", "TOPIC", "KEY", "TYPE", "KIND", "ERROR"));
        for (DeadLetter it : letters)
            rows.add(List.of(
                    it.message().id().toString(),
                    TerminalText.time(it.parkedAt(), Instant.now()),
                    Integer.toString(it.attempts()),
                    Integer.toString(it.payloadBytes()),
                    TerminalText.text(it.message().topic()),
                    TerminalText.text(it.message().key()),
                    TerminalText.text(it.message().type()),
                    TerminalText.text(it.kind()) + (it.due() ? ", being sent" : ""),
                    shortened(TerminalText.text(it.error()))));
        return TerminalText.aligned(rows);
    }

    private static String shortened(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    }

    /** All of one letter; a payload that is no text is shown in base64. */
    static List<String> whole(DeadLetter it) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("id", it.message().id().toString()));
        rows.add(List.of("topic", TerminalText.text(it.message().topic())));
        rows.add(List.of("key", TerminalText.text(it.message().key())));
        rows.add(List.of("type", TerminalText.text(it.message().type())));
        rows.add(List.of("appended", TerminalText.time(it.message().appendedAt(), Instant.now())));
        rows.add(List.of("parked", TerminalText.time(it.parkedAt(), Instant.now())));
        rows.add(List.of("kind", TerminalText.text(it.kind()) + (it.due() ? ", being sent" : "")));
        rows.add(List.of("error", TerminalText.text(it.error())));
        rows.add(List.of("tried", Integer.toString(it.attempts())));
        it.message().headers().forEach((name, value) -> rows.add(List.of("header " + name, TerminalText.text(value))));
        List<String> lines = new ArrayList<>(TerminalText.aligned(rows));
        lines.add("");
        lines.add(payload(it));
        return lines;
    }

    private static String payload(DeadLetter it) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(it.message().payload()))
                    .toString()
                    .replaceAll("[\\p{Cntrl}&&[^\n\t]]", "?");
        } catch (CharacterCodingException e) {
            return "base64: "
                    + java.util.Base64.getEncoder().encodeToString(it.message().payload());
        }
    }

    static String json(List<DeadLetter> letters, boolean payloads) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
            out.writeStartArray();
            for (DeadLetter letter : letters) write(out, letter, payloads);
            out.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator out, DeadLetter it, boolean payload) throws IOException {
        out.writeStartObject();
        out.writeStringField("id", it.message().id().toString());
        out.writeNumberField("position", it.position());
        out.writeStringField("topic", it.message().topic());
        out.writeStringField("key", it.message().key());
        out.writeStringField("type", it.message().type());
        out.writeObjectFieldStart("headers");
        for (var header : it.message().headers().entrySet()) out.writeStringField(header.getKey(), header.getValue());
        out.writeEndObject();
        out.writeStringField("appendedAt", it.message().appendedAt().toString());
        out.writeStringField("parkedAt", it.parkedAt().toString());
        out.writeStringField("kind", it.kind());
        out.writeStringField("error", it.error());
        out.writeNumberField("attempts", it.attempts());
        out.writeBooleanField("due", it.due());
        out.writeNumberField("bytes", it.payloadBytes());
        if (payload) out.writeBinaryField("payload", it.message().payload());
        out.writeEndObject();
    }
}
