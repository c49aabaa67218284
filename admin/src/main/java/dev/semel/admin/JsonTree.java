package dev.semel.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small JSON documents as maps, lists, strings, numbers, booleans and nulls. Members keep their order. */
public final class JsonTree {
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private JsonTree() {}

    /** @throws IllegalArgumentException when this is not one JSON value and nothing else */
    public static @Nullable Object read(byte[] text) {
        try (JsonParser in = JSON.createParser(text)) {
            if (in.nextToken() == null) throw new IllegalArgumentException("there is no JSON");
            Object value = value(in);
            if (in.nextToken() != null) throw new IllegalArgumentException("something follows the JSON");
            return value;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not valid JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be read.", e);
        }
    }

    /** Whether this is one JSON value in UTF-8 and nothing else. */
    static boolean isValid(byte[] text) {
        try {
            read(text);
            return Arrays.equals(new String(text, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), text);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** @throws IllegalArgumentException when this is not one JSON object and nothing else */
    public static Map<?, ?> readObject(byte[] text) {
        if (read(text) instanceof Map<?, ?> members) return members;
        throw new IllegalArgumentException("the JSON is not an object");
    }

    private static @Nullable Object value(JsonParser in) throws IOException {
        return switch (in.currentToken()) {
            case START_OBJECT -> object(in);
            case START_ARRAY -> array(in);
            case VALUE_STRING -> in.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getNumberValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser in) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            in.nextToken();
            members.put(name, value(in));
        }
        return members;
    }

    private static List<@Nullable Object> array(JsonParser in) throws IOException {
        List<@Nullable Object> items = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) items.add(value(in));
        return items;
    }
}
