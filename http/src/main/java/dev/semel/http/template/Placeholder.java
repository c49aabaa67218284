package dev.semel.http.template;

import dev.semel.http.json.JsonExtractor;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One value of a request, as configurations name it: {@code key}, {@code header:Name}, {@code body:/json/pointer}. */
public sealed interface Placeholder {

    /** What a value is taken from. */
    enum Kind {
        KEY,
        HEADER,
        BODY;

        private String form() {
            return switch (this) {
                case KEY -> "key";
                case HEADER -> "header:NAME";
                case BODY -> "body:/POINTER";
            };
        }
    }

    /** The idempotency key. */
    record Key() implements Placeholder {
        @Override
        public Kind kind() {
            return Kind.KEY;
        }

        @Override
        public String toString() {
            return "key";
        }
    }

    /** The value of a header, which must have been sent once. */
    record Header(String name) implements Placeholder {
        /** A token (RFC 9110, section 5.6.2). */
        private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]++");

        public Header {
            if (!NAME.matcher(name).matches())
                throw new IllegalArgumentException("This is not the name of a header: '" + name + "'");
        }

        @Override
        public Kind kind() {
            return Kind.HEADER;
        }

        @Override
        public String toString() {
            return "header:" + name;
        }
    }

    /** What a JSON body has at a place. */
    record Body(String pointer) implements Placeholder {
        public Body {
            JsonExtractor.of(List.of(pointer));
        }

        @Override
        public Kind kind() {
            return Kind.BODY;
        }

        @Override
        public String toString() {
            return "body:" + pointer;
        }
    }

    Kind kind();

    /** @throws IllegalArgumentException when the text is no placeholder, or one that is not allowed here */
    static Placeholder parse(String text, Set<Kind> allowed) {
        Placeholder placeholder = parse(text);
        if (placeholder == null || !allowed.contains(placeholder.kind()))
            throw new IllegalArgumentException("'" + text + "' is not "
                    + (placeholder == null ? "known" : "allowed here") + "; " + forms(allowed));
        return placeholder;
    }

    private static @Nullable Placeholder parse(String text) {
        if (text.equals("key")) return new Key();
        if (text.startsWith("header:")) return new Header(text.substring("header:".length()));
        if (text.startsWith("body:")) return new Body(text.substring("body:".length()));
        return null;
    }

    private static String forms(Set<Kind> allowed) {
        List<String> forms = allowed.stream().sorted().map(Kind::form).toList();
        return forms.isEmpty() ? "nothing is allowed" : "what can stand here: " + String.join(", ", forms);
    }
}
