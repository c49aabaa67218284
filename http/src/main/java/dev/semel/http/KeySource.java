package dev.semel.http;

import dev.semel.http.KeyReading.Absent;
import dev.semel.http.KeyReading.Malformed;
import dev.semel.http.KeyReading.Present;
import dev.semel.http.template.KeyTemplate;
import dev.semel.http.template.Placeholder;
import dev.semel.http.template.Rendering;
import dev.semel.http.template.Values;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Where the requests of a route have their key: in a header, or in what they say ({@code key-from}). Immutable, for use
 * by any thread; {@code toString} gives the configured text.
 */
public sealed interface KeySource {

    /** The Idempotency-Key header. */
    KeySource DEFAULT = new FromHeader(IdempotencyKey.HEADER);

    /** Every key that {@link IdempotencyKey} can read from a header of this name. */
    record FromHeader(String name) implements KeySource {
        public FromHeader {
            new Placeholder.Header(name);
        }

        @Override
        public List<String> headers() {
            return List.of(name);
        }

        @Override
        public boolean needsBody() {
            return false;
        }

        @Override
        public KeyReading ofHead(Headers headers) {
            return IdempotencyKey.read(headers, name);
        }

        @Override
        public KeyReading of(HttpRequest request) {
            return ofHead(request.headers());
        }

        @Override
        public String toString() {
            return "header:" + name;
        }
    }

    /**
     * A natural key, made of what a request says. It is absent when the request has nothing for any placeholder, and
     * malformed when it has something, but not one clear value for each: such a request must not run without a key, for
     * the server may read more out of it than can be read here.
     */
    record Natural(KeyTemplate template) implements KeySource {

        @Override
        public List<String> headers() {
            return template.headers();
        }

        @Override
        public boolean needsBody() {
            return template.needsBody();
        }

        @Override
        public KeyReading ofHead(Headers headers) {
            if (needsBody()) throw new IllegalStateException("The key is made of the body too: " + template);
            return read(RequestValues.ofHead(null, headers));
        }

        @Override
        public KeyReading of(HttpRequest request) {
            return read(RequestValues.of(null, request));
        }

        private KeyReading read(Values values) {
            return switch (template.asKey(values)) {
                case Rendering.Text(String key) when key.length() <= IdempotencyKey.MAX_LENGTH -> new Present(key);
                case Rendering.Text tooLong ->
                    malformed("What it is made of is longer than " + IdempotencyKey.MAX_LENGTH + " bytes.");
                case Rendering.Missing missing -> missing.entirely() ? new Absent() : malformed(missing.what());
            };
        }

        private KeyReading malformed(String what) {
            return new Malformed("The key of this operation is " + template + ". " + what);
        }

        @Override
        public String toString() {
            return template.toString();
        }
    }

    /**
     * Reads the configured text: {@code header:NAME}, {@code body:/POINTER}, or a template such as
     * {@code {header:X-Merchant}:{body:/invoice}}.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    static KeySource parse(String text) {
        Set<Placeholder.Kind> allowed = EnumSet.of(Placeholder.Kind.HEADER, Placeholder.Kind.BODY);
        if (text.indexOf('{') >= 0) return new Natural(KeyTemplate.parse(text, allowed));
        return switch (Placeholder.parse(text, allowed)) {
            case Placeholder.Header(String name) -> new FromHeader(name);
            case Placeholder alone -> new Natural(KeyTemplate.parse("{" + alone + "}", allowed));
        };
    }

    /** The names of the headers that the key is made of. */
    List<String> headers();

    /** Whether the key can be told only when the body is there. */
    boolean needsBody();

    /**
     * The key, before the body has come.
     *
     * @throws IllegalStateException when this source needs the body
     */
    KeyReading ofHead(Headers headers);

    KeyReading of(HttpRequest request);
}
