package dev.semel.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.semel.core.ClaimPolicy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * What an API tells its clients about keys, at {@code /.well-known/idempotency}: JSON for programs, a page for people.
 */
public final class PublishedPolicy {
    /** Where clients look for it. */
    public static final String PATH = "/.well-known/idempotency";

    private static final JsonFactory JSON = new JsonFactory();

    private final byte[] json;
    private final byte[] html;

    public PublishedPolicy(List<Route> routes) {
        this.json = json(routes);
        this.html = html(routes);
    }

    /** One route and how it treats keys. */
    public record Route(RoutePattern pattern, RoutePolicy policy) {}

    /** The document, in the form that the client prefers. */
    public HttpResponse answer(Headers request) {
        String accept = request.first("Accept");
        boolean page = accept != null && accept.toLowerCase(Locale.ROOT).contains("text/html");
        Headers headers = Headers.NONE
                .with("Content-Type", page ? "text/html; charset=utf-8" : "application/json")
                .with("Cache-Control", "max-age=60")
                .with("Vary", "Accept");
        return new HttpResponse(200, headers, page ? html : json);
    }

    private static byte[] json(List<Route> routes) {
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
            for (Route route : routes) write(route, out);
            out.writeEndArray();
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("Memory does not fail to be written.", e);
        }
        return bytes.toByteArray();
    }

    private static void write(Route route, JsonGenerator out) throws IOException {
        ClaimPolicy claims = route.policy().claims();
        out.writeStartObject();
        out.writeStringField("match", route.pattern().toString());
        out.writeStringField("key", lower(route.policy().key()));
        if (route.policy().key() != KeyMode.OFF) {
            out.writeStringField("guarantee", lower(claims.guarantee()));
            out.writeStringField("inFlight", inFlight(claims));
            out.writeStringField("lease", claims.lease().toString());
            out.writeStringField("retention", claims.retention().toString());
            out.writeStringField("tombstone", claims.tombstone().toString());
            out.writeStringField("statuses", route.policy().statuses().name());
            out.writeObjectFieldStart("fingerprint");
            out.writeNumberField("algorithm", RequestFingerprint.ALGORITHM);
            out.writeArrayFieldStart("exclude");
            for (String pointer : route.policy().fingerprint().excluded()) out.writeString(pointer);
            out.writeEndArray();
            out.writeEndObject();
            out.writeObjectFieldStart("limits");
            out.writeNumberField("request", route.policy().requestLimit());
            out.writeNumberField("response", route.policy().responseLimit());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private static byte[] html(List<Route> routes) {
        StringBuilder rows = new StringBuilder();
        for (Route route : routes) {
            ClaimPolicy claims = route.policy().claims();
            boolean guarded = route.policy().key() != KeyMode.OFF;
            rows.append("<tr><td><code>")
                    .append(escaped(route.pattern().toString()))
                    .append("</code></td>");
            cell(rows, lower(route.policy().key()));
            cell(rows, guarded ? lower(claims.guarantee()) : "passes through");
            cell(rows, guarded ? inFlight(claims) : "");
            cell(rows, guarded ? DurationText.of(claims.retention()) : "");
            cell(rows, guarded ? DurationText.of(claims.tombstone()) : "");
            rows.append("</tr>\n");
        }
        return PAGE.replace("$ROWS", rows).getBytes(StandardCharsets.UTF_8);
    }

    private static void cell(StringBuilder rows, String text) {
        rows.append("<td>").append(escaped(text)).append("</td>");
    }

    private static String inFlight(ClaimPolicy claims) {
        return claims.waitFor().isZero() ? "reject" : "wait " + DurationText.of(claims.waitFor());
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static final String PAGE = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Idempotency of this API</title>
        <style>
          :root { color-scheme: light dark; }
          body { font: 16px/1.6 system-ui, sans-serif; max-width: 60rem; margin: 3rem auto; padding: 0 1.5rem; }
          h1 { font-size: 1.6rem; margin-bottom: .3rem; }
          table { border-collapse: collapse; width: 100%; margin: 1.5rem 0; font-size: .95rem; }
          th { text-align: left; font-weight: 600; }
          th, td { padding: .5rem .8rem .5rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent); }
          code { font-size: .92em; }
          .overflow { overflow-x: auto; }
        </style>
        <h1>Retrying is safe here</h1>
        <p>Send an <code>Idempotency-Key</code> header with every request that changes something: a UUID that you make once per
        operation and repeat with every attempt. The operation runs once; every further attempt gets the answer of the first,
        marked <code>Idempotent-Replayed: true</code>. <code>Idempotency-Expires</code> says until when.</p>
        <div class="overflow"><table>
        <tr><th>route</th><th>key</th><th>guarantee</th><th>while in flight</th><th>answers kept</th><th>then refused for</th></tr>
        $ROWS</table></div>
        <p>When the outcome of an operation is not known, the answer says so (<code>outcome-unknown</code>). Do not repeat it with
        another key: ask for its status at <code>/.semel/v1/keys/{key}?operation=…</code>, or retry later with the same key.</p>
        </html>
        """;
}
