package dev.semel.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/** The log as one JSON object a line: time in UTC, level, logger, message, then what else the line is about. */
final class JsonLines extends EncoderBase<ILoggingEvent> {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Set<String> TAKEN = Set.of("time", "level", "logger", "message", "error");
    private static final byte[] NOTHING = {};

    @Override
    public byte[] headerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
        return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(line)) {
            json.writeStartObject();
            json.writeStringField(
                    "time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
            json.writeStringField("level", event.getLevel().toString());
            json.writeStringField("logger", event.getLoggerName());
            json.writeStringField("message", event.getFormattedMessage());
            writePairs(event.getKeyValuePairs(), json);
            if (event.getThrowableProxy() != null)
                json.writeStringField("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        line.write('\n');
        return line.toByteArray();
    }

    /** Logback has null for none. */
    private static void writePairs(@Nullable List<KeyValuePair> pairs, JsonGenerator json) throws IOException {
        if (pairs == null) return;
        for (KeyValuePair pair : pairs) {
            json.writeFieldName(TAKEN.contains(pair.key) ? pair.key + "_" : pair.key);
            switch (pair.value) {
                case Long number -> json.writeNumber(number);
                case Integer number -> json.writeNumber(number);
                case Double number -> json.writeNumber(number);
                case null, default -> json.writeString(String.valueOf(pair.value));
            }
        }
    }
}
