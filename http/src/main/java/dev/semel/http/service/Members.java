package dev.semel.http.service;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import dev.semel.http.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of the JSON object in a body, each also as the very text that was sent. Strict: whatever is not known is refused. */
final class Members {
    private static final int MAX_DEPTH = 500;
    private static final int LONGEST_NAME_SHOWN = 100;

    /** Without caps on lengths, for the body as a whole has one, and without tables that a flood of names could fill. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final Map<String, Value> values;

    private Members(Map<String, Value> values) {
        this.values = values;
    }

    /**
     * One value.
     *
     * @param sent the text as it stood in the body
     * @param text what a string says, or how a number is spelled; empty for anything else
     */
    record Value(JsonToken kind, String sent, String text) {}

    static Members read(byte[] body, List<String> known) throws Refusal {
        try {
            CharBuffer text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            char[] characters = text.array();
            try (JsonParser parser = JSON.createParser(characters, 0, text.length())) {
                return new Members(object(parser, characters, known));
            }
        } catch (CharacterCodingException e) {
            throw new Refusal(Problem.badRequest("its body is not UTF-8"));
        } catch (IOException e) {
            throw new Refusal(Problem.badRequest(
                    "its body is not valid JSON, or is nested more than " + MAX_DEPTH + " levels deep"));
        }
    }

    private static Map<String, Value> object(JsonParser parser, char[] body, List<String> known)
            throws IOException, Refusal {
        if (parser.nextToken() != JsonToken.START_OBJECT) throw flaw("", "the body must be a JSON object");
        Map<String, Value> values = new HashMap<>();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            String pointer = pointer(name);
            if (!known.contains(name))
                throw flaw(pointer, "there is a member that is not known here; known are " + String.join(", ", known));
            if (values.put(name, value(parser, body)) != null) throw flaw(pointer, "a member occurs twice");
        }
        if (parser.nextToken() != null) throw flaw("", "there is more after the object");
        return values;
    }

    private static Value value(JsonParser parser, char[] body) throws IOException {
        JsonToken kind = parser.nextToken();
        int from = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        int to = (int) parser.currentLocation().getCharOffset();
        String text = kind == JsonToken.VALUE_STRING || kind.isNumeric() ? parser.getText() : "";
        return new Value(kind, new String(body, from, to - from), text);
    }

    /** RFC 6901. A name that nobody meant may be as long as the body, and hold half a character. */
    private static String pointer(String name) {
        String shown = name.length() > LONGEST_NAME_SHOWN ? name.substring(0, LONGEST_NAME_SHOWN) + "…" : name;
        String whole = new String(shown.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return "/" + whole.replace("~", "~0").replace("/", "~1");
    }

    static Refusal flaw(String pointer, String flaw) {
        return new Refusal(Problem.badMember(pointer, flaw));
    }

    @Nullable
    Value get(String name) {
        return values.get(name);
    }

    Value required(String name) throws Refusal {
        Value value = values.get(name);
        if (value == null) throw flaw(pointer(name), "a member is missing");
        return value;
    }
}
