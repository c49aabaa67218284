package dev.semel.spring;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import dev.semel.core.Codec;
import dev.semel.json.Json;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Outcomes as JSON, of types that can be made again from it. */
final class JsonOutcomes implements OutcomeCodecs {
    private static final String PUBLISHER = "org.reactivestreams.Publisher";

    @Override
    public Codec<@Nullable Object> codec(Type returned) {
        Class<?> type = ResolvableType.forType(returned).resolve(Object.class);
        String flaw = flaw(type);
        if (flaw != null) throw new IllegalArgumentException("it returns " + returned.getTypeName() + ", " + flaw);
        JavaType made = OutcomeMapper.MAPPER.constructType(type == void.class ? Void.class : returned);
        String unmakeable = OutcomeMapper.unmakeable(made);
        if (unmakeable != null)
            throw new IllegalArgumentException("it returns " + returned.getTypeName() + ", and a " + unmakeable
                    + " cannot be made again from JSON: give it a constructor without parameters, one whose parameters"
                    + " have the names of its members (compiler's option -parameters), or @JsonCreator");
        return new JsonCodec(made);
    }

    /** @param type of the outcome; requests and steps are of any */
    private record JsonCodec(JavaType type) implements Codec<@Nullable Object> {
        private static final Codec<Object> ANY = Json.codec(OutcomeMapper.MAPPER, Object.class);

        @Override
        @SuppressWarnings("NullAway") // A method may return null.
        public byte[] encode(@Nullable Object value) {
            try {
                return OutcomeMapper.MAPPER.writerFor(type).writeValueAsBytes(value);
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("An outcome cannot be written as JSON.", e);
            }
        }

        @Override
        @SuppressWarnings("NullAway") // A method may return null.
        public @Nullable Object decode(byte[] bytes) {
            try {
                return OutcomeMapper.MAPPER.readValue(bytes, type);
            } catch (IOException e) {
                throw new IllegalArgumentException("it is no " + type.toCanonical() + " in JSON", e);
            }
        }

        @Override
        public byte[] canonical(@Nullable Object request) {
            return ANY.canonical(request);
        }

        @Override
        public <V> Codec<V> forType(Class<V> other) {
            return ANY.forType(other);
        }
    }

    private static @Nullable String flaw(Class<?> type) {
        if (Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || TypeNames.isA(type, PUBLISHER))
            return "which is there before the outcome is; return the outcome itself";
        if (BaseStream.class.isAssignableFrom(type)
                || Iterator.class.isAssignableFrom(type)
                || AutoCloseable.class.isAssignableFrom(type)) return "which can be read only once; return a list";
        if (Optional.class == type) return "which JSON does not have; return a nullable value";
        if (type == Object.class) return "which does not say what to make again from JSON; return a type of its own";
        boolean open = type.isInterface() || Modifier.isAbstract(type.getModifiers());
        if (open
                && !type.isPrimitive()
                && !type.isArray()
                && !type.getName().startsWith("java.")
                && !AnnotatedElementUtils.hasAnnotation(type, JsonTypeInfo.class))
            return "which cannot be made again from JSON: it has no @JsonTypeInfo that says which of its subtypes to"
                    + " make";
        return null;
    }
}
