package dev.semel.core;

import dev.semel.core.key.Memo;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far an operation with steps has come, as it is kept with its key. Immutable.
 *
 * @param request what was asked for, where the background may go on with it; else null
 * @param failure what the operation ended with, when its steps are being undone; else null
 * @param steps what each finished step gave, in their order
 */
record Progress(@Nullable Bytes request, @Nullable Bytes failure, Map<String, Finished> steps) {
    static final Progress NONE = new Progress(null, null, Map.of());

    /** In front of the rest; another number when the form changes. */
    private static final int FORM = 1;

    record Bytes(byte[] value) {}

    /** @param undone whether its compensation has run */
    record Finished(byte[] value, boolean undone) {}

    Progress {
        steps = Collections.unmodifiableMap(new LinkedHashMap<>(steps));
    }

    static Progress of(byte[] request) {
        return new Progress(new Bytes(request), null, Map.of());
    }

    Progress with(String step, Finished finished) {
        Map<String, Finished> more = new LinkedHashMap<>(steps);
        more.put(step, finished);
        return new Progress(request, failure, more);
    }

    Progress failed(byte[] why) {
        return new Progress(request, new Bytes(why), steps);
    }

    /** @throws IllegalArgumentException when that is too much to be kept */
    Memo memo() {
        return Memo.of(bytes());
    }

    byte[] bytes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORM);
            write(out, request);
            write(out, failure);
            out.writeInt(steps.size());
            for (Map.Entry<String, Finished> each : steps.entrySet()) {
                out.writeUTF(each.getKey());
                out.writeBoolean(each.getValue().undone());
                write(out, new Bytes(each.getValue().value()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, @Nullable Bytes bytes) throws IOException {
        out.writeInt(bytes == null ? -1 : bytes.value().length);
        if (bytes != null) out.write(bytes.value());
    }

    /** @throws IllegalStateException when it cannot be read here */
    static Progress of(Memo memo) {
        if (memo.isEmpty()) return NONE;
        if (memo.isSealed())
            throw new IllegalStateException("The steps of this operation are encrypted with a key that is not here.");
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(memo.payload()))) {
            int form = in.readUnsignedByte();
            if (form != FORM)
                throw new IllegalStateException(
                        "The steps of this operation were recorded in form " + form + ", by a newer program.");
            Bytes request = read(in);
            Bytes failure = read(in);
            int count = in.readInt();
            Map<String, Finished> steps = new LinkedHashMap<>();
            for (int i = 0; i < count; i++) {
                String name = in.readUTF();
                boolean undone = in.readBoolean();
                Bytes value = read(in);
                steps.put(name, new Finished(value == null ? new byte[0] : value.value(), undone));
            }
            return new Progress(request, failure, steps);
        } catch (IOException e) {
            throw new IllegalStateException("The recorded steps of this operation are damaged.", e);
        }
    }

    private static @Nullable Bytes read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0) return null;
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) throw new IOException("It ends in the middle.");
        return new Bytes(bytes);
    }
}
