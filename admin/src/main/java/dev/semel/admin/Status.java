package dev.semel.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.http.HttpResponse;
import dev.semel.http.key.WeakKeys;
import java.io.IOException;
import java.util.Locale;

/** {@code GET /admin/v1/status}: what this process has seen since it started. It asks the store nothing. */
final class Status {
    private final WeakKeys weakKeys;

    Status(WeakKeys weakKeys) {
        this.weakKeys = weakKeys;
    }

    HttpResponse answer() {
        return JsonAnswer.ok(this::write);
    }

    private void write(JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("weakKeys");
        for (WeakKeys.Kind kind : WeakKeys.Kind.values())
            out.writeNumberField(kind.name().toLowerCase(Locale.ROOT), weakKeys.count(kind));
        out.writeEndObject();
    }
}
