package dev.semel.cli.plan;

/**
 * One number that a plan reckons with and that nobody here can know: a price, or a guess about a machine.
 *
 * @param from where the default comes from, in words; "yours" when it was given
 */
public record Price(String name, double value, String unit, String from) {
    /** As it can be given: {@code disk=0.08}. */
    public String assignment() {
        return name + "="
                + (value == Math.rint(value) && value < 1e15 ? Long.toString((long) value) : Double.toString(value));
    }

    public Price withValue(double value) {
        return new Price(name, value, unit, "yours");
    }
}
