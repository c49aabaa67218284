package dev.semel.core;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Collection;
import java.util.Currency;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Requests as bytes, without any library: text, numbers, times, and records, lists and maps of those. Every part has its
 * kind and length in front, so that no two requests run together.
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
            case BigDecimal it ->
                text('n', it.signum() == 0 ? "0" : it.stripTrailingZeros().toPlainString());
            case Number it -> text('n', it.toString());
            case Character it -> text('t', it.toString());
            case Enum<?> it -> text('e', it.name());
            case UUID it -> text('t', it.toString());
            case Currency it -> text('t', it.getCurrencyCode());
            case TemporalAccessor it -> text('t', it.toString());
            case TemporalAmount it -> text('t', it.toString());
            case Record it -> record(it);
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
                        + " times, bytes, or lists and maps of these; or use a codec that can, such as JSON.");
        }
    }

    private void record(Record record) throws IOException {
        RecordComponent[] components = record.getClass().getRecordComponents();
        out.writeByte('r');
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
        part(kind, text.getBytes(StandardCharsets.UTF_8));
    }

    private void part(char kind, byte[] part) throws IOException {
        out.writeByte(kind);
        out.writeInt(part.length);
        out.write(part);
    }
}
