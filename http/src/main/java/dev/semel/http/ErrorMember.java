package dev.semel.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Set;

/**
 * The member {@code error} of a problem, in the form of Stripe's API. Its SDKs take an answer without it for a success,
 * whatever the status; RFC 9457 allows members of one's own.
 */
public final class ErrorMember {
    /**
     * The key itself is wrong, nothing was done under it, and another key is the remedy. Programs that catch Stripe's
     * idempotency errors make a new key: whatever a new key could run a second time must not be among these.
     */
    private static final Set<String> ABOUT_THE_KEY = Set.of("key-missing", "key-malformed", "key-reused");

    private ErrorMember() {}

    /** @param problem the name of the problem, such as {@code in-progress} */
    public static void write(String problem, String message, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("error");
        out.writeStringField("type", ABOUT_THE_KEY.contains(problem) ? "idempotency_error" : "api_error");
        out.writeStringField("code", problem);
        out.writeStringField("message", message);
        out.writeEndObject();
    }
}
