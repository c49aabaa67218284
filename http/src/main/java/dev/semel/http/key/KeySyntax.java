package dev.semel.http.key;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** What the keys of a route must look like. Immutable, for use by any thread. */
public sealed interface KeySyntax {

    /** The longest that any key can be. */
    int MAX_LENGTH = 255;

    /** Any UUID in the text form of RFC 9562, of any version, in either case. */
    record Uuid() implements KeySyntax {
        @Override
        public @Nullable String check(String key) {
            return UuidText.isUuid(key)
                    ? null
                    : "A key here is a UUID, for example 8e03978e-40d5-43e8-bc93-6894a57f9324, and this one is not.";
        }

        @Override
        public String describe() {
            return "a UUID";
        }
    }

    /**
     * A length, and perhaps a regular expression that the whole key must match.
     *
     * <p>The expression is one of {@code java.util.regex}, which operators know, and which can take exponential time. Its
     * steps are counted here, so that no key holds a thread for long, whatever the expression; a library that needs no
     * such guard would be a dependency for the sake of one setting.
     */
    record Form(@Nullable Pattern pattern, int min, int max) implements KeySyntax {
        public Form {
            if (min < 1 || min > max || max > MAX_LENGTH)
                throw new IllegalArgumentException("A key has 1 to " + MAX_LENGTH
                        + " characters, and min is not greater than max; not so: min " + min + ", max " + max);
        }

        @Override
        public @Nullable String check(String key) {
            if (key.length() < min) return "A key here has at least " + min + " characters, and this one has fewer.";
            if (key.length() > max) return "A key here has at most " + max + " characters, and this one has more.";
            return pattern == null ? null : form(pattern, key);
        }

        private static @Nullable String form(Pattern pattern, String key) {
            try {
                return pattern.matcher(new CountedText(key)).matches()
                        ? null
                        : "A key here matches " + pattern + " as a whole, and this one does not.";
            } catch (CountedText.TooManyStepsException undecided) {
                return "A key here matches " + pattern
                        + " as a whole, and whether this one does takes too long to tell.";
            }
        }

        @Override
        public String describe() {
            return min + " to " + max + " characters" + (pattern == null ? "" : " that match " + pattern);
        }
    }

    static KeySyntax uuid() {
        return new Uuid();
    }

    /**
     * Keys of this form.
     *
     * @param regex must match the whole key; null when only the length counts
     * @throws IllegalArgumentException when the expression is not one, or the lengths make no sense
     */
    static KeySyntax form(@Nullable String regex, int min, int max) {
        try {
            return new Form(regex == null ? null : Pattern.compile(regex), min, max);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "This is not a regular expression: " + regex + " (" + e.getDescription() + ")", e);
        }
    }

    /** What is wrong with a key: a sentence for the client that names what is wanted. Null when nothing is. */
    @Nullable
    String check(String key);

    /** What is wanted, to be published: {@code a UUID}, {@code 16 to 64 characters}. */
    String describe();
}
