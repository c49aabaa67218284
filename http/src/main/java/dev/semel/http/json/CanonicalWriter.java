package dev.semel.http.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one document as it is read. Members are written in the order in which they come, and put into canonical order
 * when their object ends; so a byte is moved at most once per level of nesting.
 */
final class CanonicalWriter {
    /** A double keeps this many decimal digits, whatever they are. */
    private static final int SAFE_DIGITS = 15;

    private final JsonParser parser;
    private final CanonicalBuffer out;

    /** The members of all objects that are open, innermost last. */
    private final List<Member> members = new ArrayList<>();

    CanonicalWriter(JsonParser parser, int expectedBytes) {
        this.parser = parser;
        this.out = new CanonicalBuffer(expectedBytes);
    }

    /** Where {@code "name":value} stands in the output; nowhere (from = to) when it is excluded. */
    record Member(String name, int from, int to) implements Comparable<Member> {
        /** By UTF-16 code units, as RFC 8785 says. */
        @Override
        public int compareTo(Member other) {
            return name.compareTo(other.name);
        }
    }

    byte[] document(Exclusions exclusions) throws IOException {
        value(parser.nextToken(), exclusions);
        if (parser.nextToken() != null) throw new NotCanonicalException("There is more after the document.");
        return out.toBytes();
    }

    private void value(@Nullable JsonToken token, Exclusions exclusions) throws IOException {
        if (token == null) throw new NotCanonicalException("There is no document.");
        switch (token) {
            case START_OBJECT -> object(exclusions);
            case START_ARRAY -> array(exclusions);
            case VALUE_STRING -> out.string(parser.getText());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> out.ascii(number(token, parser.getText()));
            case VALUE_TRUE -> out.ascii("true");
            case VALUE_FALSE -> out.ascii("false");
            case VALUE_NULL -> out.ascii("null");
            default -> throw new NotCanonicalException("Unexpected " + token + ".");
        }
    }

    private void object(Exclusions exclusions) throws IOException {
        out.ascii('{');
        int start = out.length();
        int first = members.size();
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName())
            member(name, exclusions.below(name), start);
        List<Member> own = members.subList(first, members.size());
        if (!isAscending(own)) {
            own.sort(null);
            if (!isAscending(own)) throw new NotCanonicalException("A name occurs twice in one object.");
            out.reorder(start, own);
        }
        own.clear();
        out.ascii('}');
    }

    private void member(String name, Exclusions exclusions, int start) throws IOException {
        JsonToken value = parser.nextToken();
        if (exclusions.here()) {
            parser.skipChildren();
            members.add(new Member(name, out.length(), out.length()));
            return;
        }
        if (out.length() > start) out.ascii(',');
        int from = out.length();
        out.string(name);
        out.ascii(':');
        value(value, exclusions);
        members.add(new Member(name, from, out.length()));
    }

    private static boolean isAscending(List<Member> members) {
        for (int i = 1; i < members.size(); i++) if (members.get(i - 1).compareTo(members.get(i)) >= 0) return false;
        return true;
    }

    private void array(Exclusions exclusions) throws IOException {
        out.ascii('[');
        int start = out.length();
        int index = 0;
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            Exclusions below = exclusions.below(index++);
            if (below.here()) {
                parser.skipChildren();
            } else {
                if (out.length() > start) out.ascii(',');
                value(token, below);
            }
        }
        out.ascii(']');
    }

    private static String number(JsonToken kind, String spelled) throws NotCanonicalException {
        if (kind == JsonToken.VALUE_NUMBER_INT && spelled.length() <= SAFE_DIGITS && !spelled.equals("-0"))
            return spelled;
        if (spelled.length() > CanonicalJson.MAX_NUMBER_LENGTH)
            throw new NotCanonicalException("A number is too long.");
        Decimal decimal = Decimal.of(spelled);
        if (!decimal.isExactAsDouble())
            throw new NotCanonicalException("A number has more digits, or is farther from zero, than a double holds.");
        return decimal.toString();
    }
}
