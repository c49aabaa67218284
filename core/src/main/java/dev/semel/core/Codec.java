package dev.semel.core;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the outcome of an {@link Operation} becomes bytes that outlive the process, and a value again. Outcomes outlive
 * programs too: a codec must read what its earlier versions wrote. JSON is in the module {@code semel-json}.
 *
 * <p>Implementations are safe for use by any thread.
 */
public interface Codec<T extends @Nullable Object> {

    /** @throws RuntimeException when the value cannot be written; the operation has run then, and is in doubt */
    byte[] encode(T value);

    /** @throws RuntimeException when these bytes are no such value */
    T decode(byte[] bytes);

    /**
     * What tells one request from another: equal bytes for equal requests, in this and every later version of the
     * program. A key that comes back with other bytes is refused.
     *
     * @throws IllegalArgumentException when this codec cannot tell requests of this kind apart
     */
    default byte[] canonical(@Nullable Object request) {
        return CanonicalRequest.bytes(request);
    }

    /**
     * How values of another type are written by the same means, for the steps of an operation. Here text and bytes alone; a
     * codec for JSON can do more.
     *
     * @throws IllegalArgumentException when this codec has no means for such values
     */
    default <V> Codec<V> forType(Class<V> type) {
        if (type == String.class)
            return of(value -> text().encode((String) value), bytes -> type.cast(text().decode(bytes)));
        if (type == byte[].class) return of(value -> (byte[]) value, type::cast);
        throw new IllegalArgumentException("This codec cannot write a " + type.getName()
                + "; text and bytes it can, and codecs of semel-json anything.");
    }

    /** Text as it is. */
    static Codec<String> text() {
        return of(text -> text.getBytes(StandardCharsets.UTF_8), bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    /** Bytes as they are. */
    static Codec<byte[]> bytes() {
        return of(Function.identity(), Function.identity());
    }

    /** For operations that return nothing. */
    static Codec<@Nullable Void> nothing() {
        return new Codec<>() {
            @Override
            public byte[] encode(@Nullable Void value) {
                return new byte[0];
            }

            @Override
            @SuppressWarnings("NullAway")
            public @Nullable Void decode(byte[] bytes) {
                return null;
            }
        };
    }

    static <T> Codec<T> of(Function<T, byte[]> encode, Function<byte[], T> decode) {
        return new Codec<>() {
            @Override
            public byte[] encode(T value) {
                return encode.apply(value);
            }

            @Override
            public T decode(byte[] bytes) {
                return decode.apply(bytes);
            }
        };
    }
}
