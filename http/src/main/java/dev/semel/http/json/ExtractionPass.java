package dev.semel.http.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.semel.http.json.FieldReading.Nothing;
import dev.semel.http.json.FieldReading.Unusable;
import dev.semel.http.json.FieldReading.Value;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One pass over one document, which steps only into what a pointer leads through. */
final class ExtractionPass {
    private final JsonParser parser;
    private final List<FieldReading> answers;

    /** @param answers what holds for each pointer as long as nothing is found */
    ExtractionPass(JsonParser parser, List<FieldReading> answers) {
        this.parser = parser;
        this.answers = answers;
    }

    List<FieldReading> document(PointerTrie root) throws IOException {
        JsonToken first = parser.nextToken();
        if (first == null) throw new NotCanonicalException("There is no document.");
        value(first, root);
        if (parser.nextToken() != null) throw new NotCanonicalException("There is more after the document.");
        return answers;
    }

    private void value(@Nullable JsonToken token, @Nullable PointerTrie place) throws IOException {
        if (place == null) {
            parser.skipChildren();
            return;
        }
        if (place.isNamed()) {
            FieldReading found = found(token, "What the JSON body has at " + place.text());
            for (int pointer : place.pointers()) answers.set(pointer, found);
        }
        if (token == JsonToken.START_OBJECT) object(place);
        else if (token == JsonToken.START_ARRAY) array(place);
    }

    private FieldReading found(@Nullable JsonToken token, String what) throws IOException {
        return switch (token) {
            case VALUE_STRING -> FieldReading.of(parser.getText(), what);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText(), what);
            case VALUE_TRUE -> new Value("true");
            case VALUE_FALSE -> new Value("false");
            case VALUE_NULL -> new Nothing(what + " is null.");
            case START_OBJECT -> new Unusable(what + " is an object; a string, a number or a boolean is wanted.");
            case START_ARRAY -> new Unusable(what + " is an array; a string, a number or a boolean is wanted.");
            case null, default -> throw new NotCanonicalException("Unexpected " + token + ".");
        };
    }

    private static FieldReading number(String spelled, String what) {
        if (spelled.length() > CanonicalJson.MAX_NUMBER_LENGTH) return new Unusable(what + " is too long a number.");
        Decimal decimal = Decimal.of(spelled);
        return decimal.isWithinReach()
                ? new Value(decimal.toString())
                : new Unusable(what + " is a number farther from zero or nearer to it than a double reaches.");
    }

    private void object(PointerTrie place) throws IOException {
        Set<PointerTrie> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            PointerTrie below = place.below(name);
            JsonToken token = parser.nextToken();
            if (below == null || seen.add(below)) {
                value(token, below);
            } else {
                parser.skipChildren();
                twice(below);
            }
        }
    }

    private void twice(PointerTrie place) {
        FieldReading ambiguous = new Unusable("The JSON body has the same name twice in one object.");
        place.forEachPointerBelow(pointer -> answers.set(pointer, ambiguous));
    }

    private void array(PointerTrie place) throws IOException {
        int index = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken())
            value(token, place.below(index++));
    }
}
