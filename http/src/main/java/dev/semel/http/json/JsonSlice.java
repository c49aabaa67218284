package dev.semel.http.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** One value inside a JSON document, cut out as it stands there. Never throws for what a document holds. */
public sealed interface JsonSlice {

    /** @param json the bytes of the value, which is not null */
    record Cut(byte[] json) implements JsonSlice {}

    /** What should hold it is there, and does not. */
    record Empty() implements JsonSlice {}

    /** There is no such place in this document, or a JSON null. */
    record Nothing() implements JsonSlice {}

    record NoJson() implements JsonSlice {}

    /** @param pointer a JSON pointer (RFC 6901) to something inside the document */
    static JsonSlice of(byte[] document, String pointer) {
        List<String> steps = Pointer.parse(pointer).steps();
        try (JsonParser in = CanonicalJson.parser(document)) {
            String text = new String(document, StandardCharsets.UTF_8);
            JsonSlice slice = in.nextToken() == null ? new NoJson() : cut(in, text, steps, 0);
            while (in.nextToken() != null) {}
            return slice;
        } catch (IOException e) {
            return new NoJson();
        }
    }

    /** The parser stands on a value, and stands at its end afterwards. */
    private static JsonSlice cut(JsonParser in, String document, List<String> steps, int depth) throws IOException {
        if (depth == steps.size()) return whole(in, document);
        JsonSlice found = new Nothing();
        boolean isArray = in.currentToken() == JsonToken.START_ARRAY;
        if (!isArray && in.currentToken() != JsonToken.START_OBJECT) return found;
        String step = steps.get(depth);
        if (depth == steps.size() - 1) found = new Empty();
        for (int index = 0; ; index++) {
            JsonToken next = in.nextToken();
            if (next == JsonToken.END_ARRAY || next == JsonToken.END_OBJECT) return found;
            String name = isArray ? Integer.toString(index) : in.currentName();
            if (!isArray) in.nextToken();
            if (name.equals(step)) found = cut(in, document, steps, depth + 1);
            else in.skipChildren();
        }
    }

    private static JsonSlice whole(JsonParser in, String document) throws IOException {
        if (in.currentToken() == JsonToken.VALUE_NULL) return new Nothing();
        int from = (int) in.currentTokenLocation().getCharOffset();
        in.finishToken();
        in.skipChildren();
        int to = (int) in.currentLocation().getCharOffset();
        return new Cut(document.substring(from, to).getBytes(StandardCharsets.UTF_8));
    }
}
