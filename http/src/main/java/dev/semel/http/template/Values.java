package dev.semel.http.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the values for placeholders come from: a request, or what is left of one. */
public interface Values {

    /** The idempotency key, or null when there is none. */
    @Nullable
    String key();

    /** All values under this name, compared without regard to case. */
    List<String> headers(String name);

    /** Shared, not copied: nobody changes it. Asked for only by placeholders that need a body; empty when there is none. */
    byte[] body();
}
