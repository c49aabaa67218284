package dev.semel.bench.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings and numbers. A number that is not finite is written as null, and read as NaN. */
final class Json {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Json() {}

    static void write(Path file, Map<String, ?> object) throws IOException {
        try (JsonGenerator out = FACTORY.createGenerator(Files.newBufferedWriter(file))) {
            out.useDefaultPrettyPrinter();
            write(out, object);
        }
    }

    private static void write(JsonGenerator out, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                out.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    out.writeFieldName(String.valueOf(entry.getKey()));
                    write(out, entry.getValue());
                }
                out.writeEndObject();
            }
            case List<?> list -> {
                out.writeStartArray();
                for (Object element : list) write(out, element);
                out.writeEndArray();
            }
            case Double number when !Double.isFinite(number) -> out.writeNull();
            case Double number -> out.writeNumber(number);
            case Number number -> out.writeNumber(number.longValue());
            default -> out.writeString(value.toString());
        }
    }

    static Map<?, ?> read(Path file) throws IOException {
        if (parse(file) instanceof Map<?, ?> map) return map;
        throw new IOException("No JSON object in " + file);
    }

    static Object parse(Path file) throws IOException {
        try (JsonParser in = FACTORY.createParser(Files.newBufferedReader(file))) {
            in.nextToken();
            return read(in);
        }
    }

    private static Object read(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                while (in.nextToken() == JsonToken.FIELD_NAME) {
                    String name = in.currentName();
                    in.nextToken();
                    map.put(name, read(in));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) list.add(read(in));
                yield list;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDoubleValue();
            case VALUE_NULL -> Double.NaN;
            default -> in.getText();
        };
    }
}
