package dev.semel.examples.payments;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Charges as JSON: on the wire and, one to a line, in the ledger. */
final class ChargeJson {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private ChargeJson() {}

    /**
     * Reads an object of strings, whole numbers and nulls (which count as absent).
     *
     * @throws IOException when it is anything else, names a field twice, or something follows it
     */
    static Map<String, Object> readFlatObject(byte[] json) throws IOException {
        Map<String, Object> fields = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) throw new IOException("Not an object.");
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                Object value = readScalar(parser);
                if (value != null) fields.put(name, value);
            }
            if (parser.nextToken() != null) throw new IOException("Something follows the object.");
        }
        return fields;
    }

    private static @Nullable Object readScalar(JsonParser parser) throws IOException {
        return switch (parser.nextToken()) {
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NULL -> null;
            default -> throw new IOException("Not a string or a whole number: " + parser.currentName());
        };
    }

    static Charge readCharge(byte[] json) throws IOException {
        Map<String, Object> fields = readFlatObject(json);
        if (fields.get("id") instanceof String id
                && fields.get("amount") instanceof Long amount
                && fields.get("currency") instanceof String currency
                && fields.get("customer") instanceof String customer
                && fields.get("created") instanceof String created) {
            return new Charge(id, amount, currency, customer, keyOf(fields), readInstant(created));
        }
        throw new IOException("Not a charge: " + fields);
    }

    private static @Nullable String keyOf(Map<String, Object> fields) {
        return fields.get("idempotency_key") instanceof String key ? key : null;
    }

    private static Instant readInstant(String text) throws IOException {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IOException("Not a time: " + text, e);
        }
    }

    static byte[] charge(Charge charge) {
        return write(json -> write(json, charge));
    }

    static byte[] charges(long total, List<Charge> charges) {
        return write(json -> {
            json.writeStartObject();
            json.writeNumberField("total", total);
            json.writeArrayFieldStart("charges");
            for (Charge charge : charges) write(json, charge);
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    static byte[] error(String code, String message) {
        return write(json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("error");
            json.writeStringField("code", code);
            json.writeStringField("message", message);
            json.writeEndObject();
            json.writeEndObject();
        });
    }

    private static void write(JsonGenerator json, Charge charge) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", charge.id());
        json.writeNumberField("amount", charge.amount());
        json.writeStringField("currency", charge.currency());
        json.writeStringField("customer", charge.customer());
        json.writeStringField("idempotency_key", charge.idempotencyKey());
        json.writeStringField("created", charge.created().toString());
        json.writeEndObject();
    }

    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private static byte[] write(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory failed.", e);
        }
        return bytes.toByteArray();
    }
}
