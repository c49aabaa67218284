package dev.semel.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.claim.ClaimPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;

/** The published policy for programs. Times are ISO 8601 durations, sizes are bytes. */
final class PolicyJson {
    private static final JsonFactory JSON = new JsonFactory();

    private PolicyJson() {}

    static byte[] of(List<PublishedPolicy.Route> routes) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeStringField("header", IdempotencyKey.HEADER);
            out.writeStringField(
                    "syntax", "1 to 255 visible ASCII characters, as an RFC 8941 string or bare; a UUID is best");
            out.writeStringField("replayed", "Idempotent-Replayed: true");
            out.writeStringField("expires", "Idempotency-Expires");
            out.writeStringField("status", StatusLink.PREFIX + "{key}?operation={operation}");
            out.writeArrayFieldStart("routes");
            for (PublishedPolicy.Route route : routes) write(route, out);
            out.writeEndArray();
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }

    private static void write(PublishedPolicy.Route route, JsonGenerator out) throws IOException {
        RoutePolicy policy = route.policy();
        out.writeStartObject();
        out.writeStringField("match", route.pattern().toString());
        out.writeStringField("key", PolicyText.of(policy.key()));
        if (policy.order() != null)
            out.writeStringField("order", policy.order().version().toString());
        if (policy.key() != KeyMode.OFF) {
            keys(policy.keys(), out);
            if (policy.probe() != null)
                out.writeStringField("probe", policy.probe().place());
            claims(policy.claims(), out);
            statuses(policy.statuses(), out);
            out.writeObjectFieldStart("fingerprint");
            out.writeNumberField("algorithm", RequestFingerprint.ALGORITHM);
            texts("exclude", policy.fingerprint().excluded(), out);
            out.writeEndObject();
            out.writeObjectFieldStart("limits");
            out.writeNumberField("request", policy.requestLimit());
            out.writeNumberField("response", policy.responseLimit());
            out.writeEndObject();
            texts("storeHeaders", policy.headers().allowed(), out);
        }
        out.writeEndObject();
    }

    private static void keys(KeyRule keys, JsonGenerator out) throws IOException {
        if (!keys.source().equals(KeySource.DEFAULT))
            out.writeStringField("keyFrom", keys.source().toString());
        if (keys.syntax() != null)
            out.writeStringField("keySyntax", keys.syntax().describe());
        if (keys.age() != null)
            out.writeStringField("maxKeyAge", keys.age().max().toString());
    }

    private static void claims(ClaimPolicy claims, JsonGenerator out) throws IOException {
        out.writeStringField("guarantee", PolicyText.of(claims.guarantee()));
        out.writeStringField("inFlight", PolicyText.inFlight(claims));
        out.writeStringField("lease", claims.lease().toString());
        out.writeStringField("retention", claims.retention().toString());
        out.writeStringField("tombstone", claims.tombstone().toString());
    }

    private static void statuses(StatusRules rules, JsonGenerator out) throws IOException {
        out.writeObjectFieldStart("statuses");
        out.writeStringField("rules", rules.name());
        for (StatusClass verdict : StatusClass.values()) texts(PolicyText.of(verdict), rules.listed(verdict), out);
        out.writeObjectFieldStart("doubtIf");
        for (var it : rules.distrusted().entrySet())
            out.writeStringField(Integer.toString(it.getKey()), it.getValue().when());
        out.writeEndObject();
        out.writeEndObject();
    }

    private static void texts(String name, Collection<String> texts, JsonGenerator out) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) out.writeString(text);
        out.writeEndArray();
    }
}
