package dev.semel.http.json;

/**
 * A decimal number: 0.<i>digits</i> × 10<sup>point</sup>, with no zero at either end of the digits; zero has none.
 * Nothing here takes longer for a large exponent than for a small one.
 *
 * @param point how many digits stand before the decimal point, where it is written out
 */
record Decimal(boolean negative, String digits, int point) {
    private static final Decimal ZERO = new Decimal(false, "", 0);

    /** Beyond any double, and small enough to be added to the length of any number. */
    private static final int EXPONENT_CAP = 1_000_000;

    /** Every decimal of so many digits survives the way into a double and back, inside these bounds. */
    private static final int SAFE_DIGITS = 15;

    private static final int SAFE_POINT = 300;
    private static final int MAX_DOUBLE_DIGITS = 17;

    /** Reads a number that is spelled as JSON or {@link Double#toString(double)} spells it. */
    static Decimal of(String spelled) {
        StringBuilder digits = new StringBuilder(spelled.length());
        boolean whole = true;
        int point = 0;
        for (int i = 0; i < spelled.length(); i++) {
            char c = spelled.charAt(i);
            if (c == 'e' || c == 'E') {
                point += exponent(spelled, i + 1);
                break;
            }
            if (c == '.') whole = false;
            else if (c == '0' && digits.isEmpty()) point -= whole ? 0 : 1;
            else if (c != '-') {
                digits.append(c);
                point += whole ? 1 : 0;
            }
        }
        return trimmed(spelled.charAt(0) == '-', digits, point);
    }

    private static int exponent(String spelled, int from) {
        boolean negative = spelled.charAt(from) == '-';
        int value = 0;
        for (int i = from; i < spelled.length(); i++) {
            char c = spelled.charAt(i);
            if (c != '-' && c != '+') value = Math.min(EXPONENT_CAP, 10 * value + (c - '0'));
        }
        return negative ? -value : value;
    }

    private static Decimal trimmed(boolean negative, StringBuilder digits, int point) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '0') end--;
        return end == 0 ? ZERO : new Decimal(negative, digits.substring(0, end), point);
    }

    /** The shortest decimal that no other double is nearer to; among several, the nearest. */
    static Decimal shortest(double value) {
        Decimal spelled = of(Double.toString(value));
        if (spelled.digits.length() != 2) return spelled;
        // Java writes two digits where one would do (4.9E-324 for 5e-324), but only for the very smallest numbers.
        int tens = spelled.digits.charAt(0) - '0';
        boolean up = spelled.digits.charAt(1) >= '5';
        Decimal nearer = of((spelled.negative ? "-" : "") + (up ? tens + 1 : tens) + "e" + (spelled.point - 1));
        return Double.parseDouble(nearer.toString()) == value ? nearer : spelled;
    }

    /** Whether this is exactly what a double, written out, says. */
    boolean isExactAsDouble() {
        if (digits.length() <= SAFE_DIGITS && Math.abs(point) < SAFE_POINT) return true;
        if (digits.length() > MAX_DOUBLE_DIGITS || Math.abs(point) > 2 * SAFE_POINT) return false;
        double nearest = Double.parseDouble(toString());
        return Double.isFinite(nearest) && equals(shortest(nearest));
    }

    /** Whether this is about as far from zero as doubles reach, and {@link #toString()} so tells it from all others. */
    boolean isWithinReach() {
        return Math.abs(point) <= 2 * SAFE_POINT;
    }

    /** As ECMAScript writes it, and so RFC 8785. */
    @Override
    public String toString() {
        if (digits.isEmpty()) return "0";
        StringBuilder text = new StringBuilder(32);
        if (negative) text.append('-');
        int count = digits.length();
        if (count <= point && point <= 21) text.append(digits).repeat('0', point - count);
        else if (0 < point && point <= 21)
            text.append(digits, 0, point).append('.').append(digits, point, count);
        else if (-6 < point && point <= 0) text.append("0.").repeat('0', -point).append(digits);
        else scientific(text);
        return text.toString();
    }

    private void scientific(StringBuilder text) {
        text.append(digits.charAt(0));
        if (digits.length() > 1) text.append('.').append(digits, 1, digits.length());
        text.append('e').append(point > 0 ? "+" : "").append(point - 1);
    }
}
