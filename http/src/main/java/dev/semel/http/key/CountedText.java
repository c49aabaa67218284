package dev.semel.http.key;

/** A text that can be looked at only so often. An expression that goes astray looks at a short text again and again. */
final class CountedText implements CharSequence {
    /** Hundreds of looks at every character of the longest key; some milliseconds at the worst. */
    private static final int STEPS = 200_000;

    private final String text;
    private final int[] stepsLeft;

    CountedText(String text) {
        this(text, new int[] {STEPS});
    }

    private CountedText(String text, int[] stepsLeft) {
        this.text = text;
        this.stepsLeft = stepsLeft;
    }

    static final class TooManyStepsException extends RuntimeException {
        TooManyStepsException() {
            super("The expression takes too long.", null, false, false);
        }
    }

    @Override
    public char charAt(int index) {
        if (--stepsLeft[0] < 0) throw new TooManyStepsException();
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    /** A part of the text draws on the same count. */
    @Override
    public CharSequence subSequence(int start, int end) {
        return new CountedText(text.substring(start, end), stepsLeft);
    }

    @Override
    public String toString() {
        return text;
    }
}
