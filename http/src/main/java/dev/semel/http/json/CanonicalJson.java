package dev.semel.http.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings JSON into its canonical form (RFC 8785): no white space, members sorted by name, one spelling for every string
 * and number. Two bodies that say the same have the same canonical bytes, and two that do not, have not.
 *
 * <p>For the sake of the second half this is stricter than RFC 8785 about numbers: one that a double cannot hold digit
 * for digit has no canonical form here, because rounding would give two different amounts the same bytes. Nor has
 * anything that readers may take in two ways: duplicate names, bytes that are not UTF-8, lone surrogates.
 *
 * <p>The answer depends on nothing but the bytes and the excluded pointers: not on the machine, the process or what was
 * seen before. Time and memory grow in proportion to the input, whatever it says. Immutable, for use by any thread.
 */
public final class CanonicalJson {
    /** A longer body has no canonical form. */
    public static final int MAX_BYTES = 1024 * 1024;

    /** A body whose arrays and objects are nested deeper has no canonical form. */
    public static final int MAX_DEPTH = 64;

    /** A body in which a number is spelled with more characters has no canonical form. */
    public static final int MAX_NUMBER_LENGTH = 512;

    /**
     * Without Jackson's tables of known names: they are shared, and fail by chance when somebody floods them, and what
     * has a canonical form once must always have one.
     */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxNameLength(MAX_BYTES)
                    .maxStringLength(MAX_BYTES)
                    .build())
            .build();

    private final Exclusions exclusions;

    private CanonicalJson(Exclusions exclusions) {
        this.exclusions = exclusions;
    }

    /** The canonical form of all that a body says. */
    public static CanonicalJson whole() {
        return excluding(List.of());
    }

    /**
     * The canonical form of a body without the members and array elements that these pointers name. Where there is no
     * such thing, a pointer changes nothing.
     *
     * @param pointers JSON pointers (RFC 6901), for example {@code /metadata/sentAt} or {@code /items/0/id}
     * @throws IllegalArgumentException when one is not a JSON pointer, or names the whole body
     */
    public static CanonicalJson excluding(List<String> pointers) {
        return new CanonicalJson(Exclusions.of(pointers));
    }

    /**
     * The canonical bytes of a body.
     *
     * @return null when the body has no canonical form: it is not JSON, or over a cap, or can be taken in two ways
     */
    public byte @Nullable [] of(byte[] body) {
        try (JsonParser parser = parser(body)) {
            return new CanonicalWriter(parser, body.length).document(exclusions);
        } catch (IOException notCanonical) {
            return null;
        }
    }

    /** Reads a body under the caps; a body that is too long or not UTF-8 is not read at all. */
    static JsonParser parser(byte[] body) throws IOException {
        if (body.length > MAX_BYTES) throw new NotCanonicalException("The body is too long.");
        CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
        return JSON.createParser(text.array(), text.arrayOffset(), text.length());
    }
}
