package dev.semel.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who says something about a key, and why. */
final class ChangeOptions {
    @Option(names = "--reason", paramLabel = "TEXT", description = "how you know; stays in the history of the key")
    private @Nullable String reason;

    @Option(names = "--by", paramLabel = "NAME", description = "who says so (default: the user of this system)")
    private @Nullable String by;

    @Option(
            names = "--fencing-token",
            paramLabel = "N",
            description = "only if the key still has this token (default: the one it has now)")
    private @Nullable Long token;

    /** Fields of the request that only one command has. */
    interface ExtraFields {
        void write(JsonGenerator out) throws IOException;
    }

    /** What did happen is shown by its answer; what did not can only be told. */
    ChangeOptions requireReason() {
        if (reason == null)
            throw new UsageProblem("Give --reason: how you know that it did not happen, or will not. It stays in the"
                    + " history of the key.");
        return this;
    }

    byte[] json(ExtraFields extra) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = new JsonFactory().createGenerator(bytes)) {
            out.writeStartObject();
            if (reason != null) out.writeStringField("reason", reason);
            out.writeStringField("by", by == null ? System.getProperty("user.name", "operator") : by);
            if (token != null) out.writeNumberField("token", token);
            extra.write(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }
}
