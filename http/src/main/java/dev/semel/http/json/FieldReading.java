package dev.semel.http.json;

/** What one header or JSON member of a request says. The reasons are whole sentences that never repeat what was sent. */
public sealed interface FieldReading {

    /**
     * A string, a number or a boolean.
     *
     * @param text never empty, and always encodable in UTF-8
     */
    record Value(String text) implements FieldReading {}

    /** There is nothing at this place, or a JSON null. */
    record Nothing(String why) implements FieldReading {}

    /** There is something, or may be something, and it is not one clear value. */
    record Unusable(String why) implements FieldReading {}

    /** The text as a value, unless it is empty or cannot be encoded. */
    static FieldReading of(String text, String place) {
        if (text.isEmpty()) return new Unusable(place + " is empty.");
        boolean half = text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        return half ? new Unusable(place + " holds half a character.") : new Value(text);
    }
}
