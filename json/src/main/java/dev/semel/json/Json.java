package dev.semel.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.semel.core.Codec;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Codecs that keep outcomes as JSON, and tell requests apart by theirs. Times are text as ISO 8601 has it. Members that a
 * later version of a type no longer has are passed over, so that outcomes of earlier versions stay readable.
 */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Json() {}

    public static <T> Codec<T> codec(Class<T> type) {
        return new JsonCodec<>(MAPPER, MAPPER.constructType(type));
    }

    /** For types with parameters: {@code Json.codec(new TypeReference<List<Receipt>>() {})}. */
    public static <T> Codec<T> codec(TypeReference<T> type) {
        return new JsonCodec<>(MAPPER, MAPPER.constructType(type));
    }

    /** The same with the application's own settings. What they change, they change for outcomes that are there already. */
    public static <T> Codec<T> codec(ObjectMapper mapper, Class<T> type) {
        return new JsonCodec<>(mapper, mapper.constructType(type));
    }

    private static final class JsonCodec<T> implements Codec<T> {
        private final ObjectMapper mapper;
        private final JavaType type;
        private final ObjectWriter canonical;

        JsonCodec(ObjectMapper mapper, JavaType type) {
            this(mapper, type, canonical(mapper));
        }

        private JsonCodec(ObjectMapper mapper, JavaType type, ObjectWriter canonical) {
            this.mapper = mapper;
            this.type = type;
            this.canonical = canonical;
        }

        private static ObjectWriter canonical(ObjectMapper mapper) {
            ObjectMapper sorting = mapper.copy();
            sorting.setConfig(mapper.getSerializationConfig().with(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY));
            return sorting.writer()
                    .with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
                    .without(SerializationFeature.INDENT_OUTPUT);
        }

        @Override
        public byte[] encode(T value) {
            try {
                return mapper.writerFor(type).writeValueAsBytes(value);
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("An outcome cannot be written as JSON.", e);
            }
        }

        @Override
        public T decode(byte[] bytes) {
            try {
                return mapper.readValue(bytes, type);
            } catch (IOException e) {
                throw new IllegalArgumentException("it is no " + type.toCanonical() + " in JSON", e);
            }
        }

        @Override
        public <V> Codec<V> forType(Class<V> other) {
            return new JsonCodec<>(mapper, mapper.constructType(other), canonical);
        }

        @Override
        public byte[] canonical(@Nullable Object request) {
            try {
                return canonical.writeValueAsBytes(request);
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException(
                        "A request of type "
                                + (request == null ? "null" : request.getClass().getName())
                                + " cannot be written as JSON, so requests cannot be told apart.",
                        e);
            }
        }
    }
}
