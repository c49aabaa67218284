package dev.semel.core;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an exception of an effect says about the operation. Nothing is guessed: an exception that is not named here means
 * that nobody can tell whether the operation ran. A type that is named stands for its subtypes too; the nearest counts.
 * Immutable.
 */
public final class FailurePolicy {
    private static final int SHORT_MESSAGE = 200;

    /** Every exception leaves a doubt. */
    public static final FailurePolicy ALL_IN_DOUBT = new FailurePolicy(Map.of(), Set.of());

    /** What an exception says. */
    enum Meaning {
        /** The operation ended, like this and no other way: the exception is its outcome. */
        PERMANENT,
        /** Nothing ran: it may be tried again. */
        TRANSIENT,
        /** Nobody can tell. */
        DOUBT
    }

    private final Map<Class<? extends Exception>, Function<@Nullable String, ? extends Exception>> permanent;
    private final Set<Class<? extends Exception>> transients;

    private FailurePolicy(
            Map<Class<? extends Exception>, Function<@Nullable String, ? extends Exception>> permanent,
            Set<Class<? extends Exception>> transients) {
        this.permanent = Map.copyOf(permanent);
        this.transients = Set.copyOf(transients);
    }

    /**
     * Exceptions of this type are outcomes: recorded, and thrown again to every duplicate, with their message.
     *
     * @throws IllegalArgumentException when it has no constructor that takes the message alone
     */
    public <E extends Exception> FailurePolicy permanent(Class<E> type) {
        try {
            Constructor<E> constructor = type.getDeclaredConstructor(String.class);
            constructor.setAccessible(true);
            return permanent(type, message -> made(constructor, message));
        } catch (NoSuchMethodException | RuntimeException e) {
            throw new IllegalArgumentException(
                    type.getName() + " has no constructor that takes a message alone, so it could not be thrown again;"
                            + " say how it is made.",
                    e);
        }
    }

    private static <E extends Exception> E made(Constructor<E> constructor, @Nullable String message) {
        try {
            return constructor.newInstance(message);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("An exception could not be made: " + constructor, e);
        }
    }

    /** The same for a type that is made in another way. */
    public <E extends Exception> FailurePolicy permanent(Class<E> type, Function<@Nullable String, E> made) {
        var more = new HashMap<>(permanent);
        more.put(type, made);
        return new FailurePolicy(more, transients);
    }

    /** Exceptions of this type say that nothing ran: the key is free for the next attempt. */
    public FailurePolicy transients(Class<? extends Exception> type) {
        Set<Class<? extends Exception>> more = new HashSet<>(transients);
        more.add(type);
        return new FailurePolicy(permanent, more);
    }

    Meaning of(Throwable failure) {
        for (Class<?> type = failure.getClass(); type != null; type = type.getSuperclass()) {
            if (permanent.containsKey(type)) return Meaning.PERMANENT;
            if (transients.contains(type)) return Meaning.TRANSIENT;
        }
        return Meaning.DOUBT;
    }

    /** As it is recorded: the type that was named, and the message. */
    byte[] encode(Exception failure) {
        return encode(failure, failure.getMessage());
    }

    /** The same with no more than the beginning of the message, for where there is little room. */
    byte[] encodeShort(Exception failure) {
        String message = failure.getMessage();
        if (message == null || message.length() <= SHORT_MESSAGE) return encode(failure, message);
        return encode(failure, message.substring(0, SHORT_MESSAGE) + "…");
    }

    private byte[] encode(Exception failure, @Nullable String message) {
        Class<?> named = failure.getClass();
        while (!permanent.containsKey(named)) named = named.getSuperclass();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(named.getName());
            out.writeBoolean(message != null);
            if (message != null) out.write(message.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }

    /** @return null when the type is not named here any more */
    @Nullable
    Exception decode(byte[] recorded) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(recorded))) {
            String name = in.readUTF();
            String message = in.readBoolean() ? new String(in.readAllBytes(), StandardCharsets.UTF_8) : null;
            for (var each : permanent.entrySet())
                if (each.getKey().getName().equals(name)) return each.getValue().apply(message);
            return null;
        } catch (IOException e) {
            throw new IllegalArgumentException("A recorded exception is damaged.", e);
        }
    }
}
