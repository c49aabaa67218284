package dev.semel.core;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Requests as bytes, without any library: text, numbers, times, and records, lists, sets and maps of those. Every part has
 * its kind and length in front, and a record the simple name of its type, so that no two requests run together.
 */
final class CanonicalRequest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    private CanonicalRequest() {}

    static byte[] bytes(@Nullable Object request) {
        CanonicalRequest canonical = new CanonicalRequest();
        try {
            canonical.write(request);
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return canonical.bytes.toByteArray();
    }

    private void write(@Nullable Object value) throws IOException {
        switch (value) {
            case null -> out.writeByte('0');
            case byte[] it -> part('b', it);
            case CharSequence it -> text('t', it.toString());
            case Boolean it -> text('?', it.toString());
            // Equal amounts are equal requests, however many zeros they are written with.
            case BigDecimal it -> text('d', plain(it.signum() == 0 ? BigDecimal.ZERO : it.stripTrailingZeros()));
            case BigInteger it -> text('n', it.toString());
            case Long it -> text('n', it.toString());
            case Integer it -> text('n', it.toString());
            case Short it -> text('n', it.toString());
            case Byte it -> text('n', it.toString());
            case Double it -> text('f', it.toString());
            case Float it -> text('f', it.toString());
            case Character it -> text('t', it.toString());
            case Enum<?> it -> text('e', it.name());
            case UUID it -> text('t', it.toString());
            case Currency it -> text('t', it.getCurrencyCode());
            case TemporalAccessor it -> text('t', it.toString());
            case TemporalAmount it -> text('t', it.toString());
            case Record it -> record(it);
            case Set<?> it -> set(it);
            case Collection<?> it -> {
                out.writeByte('l');
                out.writeInt(it.size());
                for (Object each : it) write(each);
            }
            case Map<?, ?> it -> map(it);
            default ->
                throw new IllegalArgumentException("Requests of type "
                        + value.getClass().getName()
                        + " cannot be told apart by this codec. Give a record, text, numbers,"
                        + " times, bytes, or lists, sets and maps of these; or use a codec that can, such as JSON.");
        }
    }

    private void record(Record record) throws IOException {
        RecordComponent[] components = record.getClass().getRecordComponents();
        out.writeByte('r');
        text('t', record.getClass().getSimpleName());
        out.writeInt(components.length);
        for (RecordComponent component : components) {
            text('t', component.getName());
            write(valueOf(component, record));
        }
    }

    private static @Nullable Object valueOf(RecordComponent component, Record record) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalArgumentException(
                    "The component " + component.getName() + " of "
                            + record.getClass().getName() + " cannot be read.",
                    e);
        }
    }

    /** However large its exponent is: never written out. */
    private static String plain(BigDecimal number) {
        return number.unscaledValue() + "e" + -(long) number.scale();
    }

    /** The order of a set says nothing, and differs from one process to the next. */
    private void set(Set<?> set) throws IOException {
        List<byte[]> elements = new ArrayList<>();
        for (Object each : set) elements.add(bytes(each));
        elements.sort(Arrays::compare);
        out.writeByte('s');
        out.writeInt(elements.size());
        for (byte[] each : elements) out.write(each);
    }

    private void map(Map<?, ?> map) throws IOException {
        TreeMap<String, @Nullable Object> sorted = new TreeMap<>();
        map.forEach((key, value) -> {
            if (!(key instanceof CharSequence || key instanceof Enum<?>))
                throw new IllegalArgumentException("Only maps whose keys are text or enums can be told apart.");
            sorted.put(key instanceof Enum<?> it ? it.name() : key.toString(), value);
        });
        out.writeByte('m');
        out.writeInt(sorted.size());
        for (Map.Entry<String, @Nullable Object> entry : sorted.entrySet()) {
            text('t', entry.getKey());
            write(entry.getValue());
        }
    }

    private void text(char kind, String text) throws IOException {
        // Char by char: half a surrogate pair has no UTF-8.
        out.writeByte(kind);
        out.writeInt(text.length());
        out.writeChars(text);
    }

    private void part(char kind, byte[] part) throws IOException {
        out.writeByte(kind);
        out.writeInt(part.length);
        out.write(part);
    }
}
