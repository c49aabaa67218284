package dev.semel.http.json;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A second opinion: reads JSON by the letter of RFC 8259 into a tree and writes it by the letter of RFC 8785, with no
 * thought of speed or of hostile input. Shares no code with what it judges.
 */
final class PlainJson {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

    private final String text;
    private int at;

    private PlainJson(String text) {
        this.text = text;
    }

    static class NotCanonical extends RuntimeException {}

    /** JSON, but such as readers take in two ways. */
    static final class Ambiguous extends NotCanonical {}

    /** Canonical bytes, or null. */
    static byte[] canonical(byte[] body) {
        try {
            StringBuilder out = new StringBuilder();
            write(tree(body), out);
            return out.toString().getBytes(StandardCharsets.UTF_8);
        } catch (NotCanonical | CharacterCodingException e) {
            return null;
        }
    }

    /** Maps, lists, strings, numbers, booleans, and {@code Void.class} for null. */
    static Object tree(byte[] body) throws CharacterCodingException {
        PlainJson json = new PlainJson(StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(body))
                .toString());
        Object document = json.value(0);
        json.space();
        check(json.at == json.text.length());
        return document;
    }

    private Object value(int depth) {
        space();
        char c = peek();
        if (c == '{') return object(depth + 1);
        if (c == '[') return array(depth + 1);
        if (c == '"') return string();
        for (String literal : List.of("true", "false", "null"))
            if (text.startsWith(literal, at)) {
                at += literal.length();
                return literal.equals("null") ? Void.class : Boolean.valueOf(literal);
            }
        return number();
    }

    private Map<String, Object> object(int depth) {
        check(depth <= CanonicalJson.MAX_DEPTH);
        Map<String, Object> members = new TreeMap<>();
        at++;
        space();
        if (peek() == '}') {
            at++;
            return members;
        }
        while (true) {
            space();
            check(peek() == '"');
            String name = string();
            space();
            check(next() == ':');
            unambiguous(members.put(name, value(depth)) == null);
            space();
            char c = next();
            if (c == '}') return members;
            check(c == ',');
        }
    }

    private List<Object> array(int depth) {
        check(depth <= CanonicalJson.MAX_DEPTH);
        List<Object> elements = new ArrayList<>();
        at++;
        space();
        if (peek() == ']') {
            at++;
            return elements;
        }
        while (true) {
            elements.add(value(depth));
            space();
            char c = next();
            if (c == ']') return elements;
            check(c == ',');
        }
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        while (true) {
            char c = next();
            check(c >= 0x20);
            if (c == '"') break;
            if (c != '\\') out.append(c);
            else {
                char escape = next();
                int known = "\"\\/bfnrt".indexOf(escape);
                if (known >= 0) out.append("\"\\/\b\f\n\r\t".charAt(known));
                else {
                    check(escape == 'u' && at + 4 <= text.length());
                    String hex = text.substring(at, at + 4);
                    check(hex.matches("[0-9a-fA-F]{4}"));
                    out.append((char) Integer.parseInt(hex, 16));
                    at += 4;
                }
            }
        }
        unambiguous(StandardCharsets.UTF_16BE.newEncoder().canEncode(out));
        return out.toString();
    }

    private BigDecimal number() {
        Matcher matcher = NUMBER.matcher(text).region(at, text.length());
        check(matcher.lookingAt());
        at = matcher.end();
        String spelled = matcher.group();
        unambiguous(spelled.length() <= CanonicalJson.MAX_NUMBER_LENGTH);
        BigDecimal exact;
        try {
            exact = new BigDecimal(spelled);
        } catch (NumberFormatException exponentOverAnInt) {
            unambiguous(new BigDecimal(spelled.split("[eE]")[0]).signum() == 0);
            return BigDecimal.ZERO;
        }
        if (exact.signum() == 0) return BigDecimal.ZERO;
        double nearest = exact.doubleValue();
        unambiguous(Double.isFinite(nearest) && exact.compareTo(shortest(nearest)) == 0);
        return exact.stripTrailingZeros();
    }

    /** The decimal of fewest digits that reads back as this double, nearest first: by trying them all. */
    static BigDecimal shortest(double value) {
        BigDecimal exact = new BigDecimal(value);
        for (int digits = 1; ; digits++) {
            BigDecimal best = null;
            for (java.math.RoundingMode mode :
                    List.of(java.math.RoundingMode.DOWN, java.math.RoundingMode.UP, java.math.RoundingMode.HALF_EVEN)) {
                BigDecimal candidate = exact.round(new java.math.MathContext(digits, mode));
                if (candidate.doubleValue() == value
                        && (best == null
                                || candidate
                                                .subtract(exact)
                                                .abs()
                                                .compareTo(best.subtract(exact).abs())
                                        <= 0)) best = candidate;
            }
            if (best != null) return best;
        }
    }

    private static void write(Object value, StringBuilder out) {
        switch (value) {
            case Map<?, ?> members -> {
                out.append('{');
                members.forEach((name, member) -> {
                    if (out.charAt(out.length() - 1) != '{') out.append(',');
                    write(name, out);
                    out.append(':');
                    write(member, out);
                });
                out.append('}');
            }
            case List<?> elements -> {
                out.append('[');
                for (int i = 0; i < elements.size(); i++) {
                    if (i > 0) out.append(',');
                    write(elements.get(i), out);
                }
                out.append(']');
            }
            case String string -> writeString(string, out);
            case BigDecimal number -> out.append(ecma(number));
            case Boolean bool -> out.append(bool);
            default -> out.append("null");
        }
    }

    private static void writeString(String string, StringBuilder out) {
        out.append('"');
        for (char c : string.toCharArray()) {
            int short_ = "\b\t\n\f\r\"\\".indexOf(c);
            if (short_ >= 0) out.append('\\').append("btnfr\"\\".charAt(short_));
            else if (c < 0x20) out.append(String.format("\\u%04x", (int) c));
            else out.append(c);
        }
        out.append('"');
    }

    /** ECMA-262, Number::toString, steps 5 to 10. */
    static String ecma(BigDecimal number) {
        if (number.signum() == 0) return "0";
        if (number.signum() < 0) return "-" + ecma(number.negate());
        BigDecimal stripped = number.stripTrailingZeros();
        String s = stripped.unscaledValue().toString();
        int k = s.length();
        int n = k - stripped.scale();
        if (k <= n && n <= 21) return s + "0".repeat(n - k);
        if (0 < n && n <= 21) return s.substring(0, n) + "." + s.substring(n);
        if (-6 < n && n <= 0) return "0." + "0".repeat(-n) + s;
        String e = (n - 1 < 0 ? "-" : "+") + Math.abs(n - 1);
        return k == 1 ? s + "e" + e : s.charAt(0) + "." + s.substring(1) + "e" + e;
    }

    private void space() {
        while (at < text.length() && " \t\n\r".indexOf(text.charAt(at)) >= 0) at++;
    }

    private char peek() {
        check(at < text.length());
        return text.charAt(at);
    }

    private char next() {
        char c = peek();
        at++;
        return c;
    }

    private static void check(boolean holds) {
        if (!holds) throw new NotCanonical();
    }

    private static void unambiguous(boolean holds) {
        if (!holds) throw new Ambiguous();
    }
}
