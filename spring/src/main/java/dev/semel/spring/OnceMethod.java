package dev.semel.spring;

import dev.semel.core.Attempt;
import dev.semel.core.Codec;
import dev.semel.core.claim.ClaimPolicy;
import dev.semel.core.key.Guarantee;
import dev.semel.http.DurationText;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.GenericTypeResolver;

/**
 * What {@link Once} on a method of a bean says, read and checked.
 *
 * @param method of the class that is the target, not of an interface
 */
record OnceMethod(
        Method method, String operation, KeyExpression key, Codec<@Nullable Object> codec, ClaimPolicy policy) {

    /** @throws OnceMisuseException when it cannot be kept */
    static OnceMethod of(Method method, Class<?> target, Once once, SemelProperties settings, OutcomeCodecs codecs) {
        requireProxyable(method);
        return new OnceMethod(
                method,
                operationOf(once, method),
                KeyExpression.of(method, once.key()),
                codecOf(method, target, once.guarantee(), codecs),
                policyOf(method, once, settings));
    }

    private static void requireProxyable(Method method) {
        int modifiers = method.getModifiers();
        String flaw = Modifier.isPrivate(modifiers)
                ? "private"
                : Modifier.isFinal(modifiers) ? "final" : Modifier.isStatic(modifiers) ? "static" : null;
        if (flaw != null)
            throw new OnceMisuseException(
                    method, "the method is " + flaw + ", so calls do not pass the proxy that would guard them.");
    }

    static String operationOf(Once once, Method method) {
        return once.operation().isEmpty() ? OnceMethods.nameOf(method) : once.operation();
    }

    private static Codec<@Nullable Object> codecOf(
            Method method, Class<?> target, Guarantee guarantee, OutcomeCodecs codecs) {
        try {
            var returned = GenericTypeResolver.resolveType(method.getGenericReturnType(), target);
            return new NamedCodec(codecs.codec(returned), method, guarantee);
        } catch (IllegalArgumentException e) {
            throw new OnceMisuseException(method, e.getMessage() + ".", e);
        }
    }

    static ClaimPolicy policyOf(Method method, Once once, SemelProperties settings) {
        try {
            return new ClaimPolicy(
                    once.guarantee(),
                    duration(once.lease(), settings.lease()),
                    duration(once.retention(), settings.retention()),
                    settings.tombstone(),
                    duration(once.waitFor(), settings.waitFor()),
                    null);
        } catch (IllegalArgumentException e) {
            throw new OnceMisuseException(method, e.getMessage() + ".", e);
        }
    }

    private static Duration duration(String text, Duration otherwise) {
        return text.isEmpty() ? otherwise : DurationText.parse(text);
    }

    boolean isJoined() {
        return policy.guarantee() == Guarantee.JOINED;
    }

    /** What is asked for: the arguments, without the place for the attempt. */
    List<@Nullable Object> request(@Nullable Object[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        List<@Nullable Object> request = new ArrayList<>(types.length);
        for (int i = 0; i < types.length; i++) if (types[i] != Attempt.class) request.add(arguments[i]);
        return request;
    }

    @Nullable
    Object[] with(Attempt attempt, @Nullable Object[] arguments) {
        Class<?>[] types = method.getParameterTypes();
        @Nullable Object[] filled = arguments.clone();
        for (int i = 0; i < types.length; i++) if (types[i] == Attempt.class) filled[i] = attempt;
        return filled;
    }

    /** Says what became of the effect when its outcome cannot be written. */
    private record NamedCodec(Codec<@Nullable Object> codec, Method method, Guarantee guarantee)
            implements Codec<@Nullable Object> {
        @Override
        @SuppressWarnings("NullAway") // A method may return null.
        public byte[] encode(@Nullable Object value) {
            try {
                byte[] bytes = codec.encode(value);
                // What cannot be read would be an error to every retry, and nobody would know before.
                codec.decode(bytes);
                return bytes;
            } catch (RuntimeException e) {
                throw new OnceMisuseException(
                        method,
                        "the method ran, but what it returned cannot be recorded and read back ("
                                + (value == null ? "null" : value.getClass().getName()) + "). "
                                + (guarantee == Guarantee.JOINED
                                        ? "Its transaction cannot be committed."
                                        : "Its key is in doubt, and it does not run again."),
                        e);
            }
        }

        @Override
        @SuppressWarnings("NullAway") // A method may return null.
        public @Nullable Object decode(byte[] bytes) {
            return codec.decode(bytes);
        }

        @Override
        public byte[] canonical(@Nullable Object request) {
            return codec.canonical(request);
        }

        @Override
        public <V> Codec<V> forType(Class<V> type) {
            return codec.forType(type);
        }
    }
}
