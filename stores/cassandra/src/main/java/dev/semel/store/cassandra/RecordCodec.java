package dev.semel.store.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.core.key.Guarantee;
import dev.semel.core.key.KeyRecord;
import dev.semel.core.key.KeyState;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * The bytes of the column {@code record}: all of a record but its revision and its outcome, which are columns of their own.
 * {@link RecordReader} reads them; the two change together.
 *
 * <pre>
 * format version    1
 * state             1   one of the codes below
 * flags             1   remote, may run again
 * token             8
 * attempt           4
 * since             8   microseconds since 1970, as all times here
 * tenant, operation, key, fingerprint, memo, history    each with its length before it
 * of Free           forgetAt
 * of Held           leaseUntil, holder
 * of Done           replayUntil, forgetAt
 * of InDoubt        nextProbe, probes (4), reason
 * </pre>
 *
 * Numbers are big-endian, lengths have four bytes. No code stands for Spent: that is a finished key without an outcome.
 */
final class RecordCodec {
    static final byte FORMAT = 1;

    static final byte FREE = 1;
    static final byte HELD = 2;
    static final byte DONE = 3;
    static final byte IN_DOUBT = 4;

    static final int REMOTE = 1;
    static final int MAY_RUN_AGAIN = 2;

    private static final int USUAL_SIZE = 256;

    private RecordCodec() {}

    static ByteBuffer encode(KeyRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_SIZE);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(FORMAT);
            out.writeByte(code(record.state()));
            out.writeByte(flags(record));
            out.writeLong(record.token());
            out.writeInt(record.attempt());
            write(out, record.since());
            write(out, record.id().tenant());
            write(out, record.id().operation());
            write(out, record.id().key());
            write(out, record.fingerprint().bytes());
            write(out, record.memo().encoded());
            write(out, record.history().bytes());
            write(out, record.state());
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static byte code(KeyState state) {
        return switch (state.kind()) {
            case FREE -> FREE;
            case HELD -> HELD;
            case DONE, SPENT -> DONE;
            case IN_DOUBT -> IN_DOUBT;
        };
    }

    private static int flags(KeyRecord record) {
        boolean again = record.state() instanceof KeyState.Held held && held.guarantee() == Guarantee.AT_LEAST_ONCE;
        return (record.remote() ? REMOTE : 0) | (again ? MAY_RUN_AGAIN : 0);
    }

    private static void write(DataOutputStream out, KeyState state) throws IOException {
        switch (state) {
            case KeyState.Free it -> write(out, it.forgetAt());
            case KeyState.Held it -> {
                write(out, it.leaseUntil());
                write(out, it.holder());
            }
            case KeyState.Done it -> {
                write(out, it.replayUntil());
                write(out, it.forgetAt());
            }
            case KeyState.InDoubt it -> {
                write(out, it.nextProbe());
                out.writeInt(it.probes());
                write(out, it.reason());
            }
            case KeyState.Spent it -> {
                write(out, it.doneAt());
                write(out, it.forgetAt());
            }
        }
    }

    private static void write(DataOutputStream out, Instant instant) throws IOException {
        out.writeLong(StoredForm.micros(instant));
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        write(out, text.getBytes(UTF_8));
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
