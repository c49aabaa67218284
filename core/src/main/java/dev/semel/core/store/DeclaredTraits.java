package dev.semel.core.store;

import dev.semel.core.store.StoreTraits.Survives;

/**
 * What a kind of store promises and can do before anyone opens one: for documents, and for whoever checks a configuration.
 * An open store {@linkplain #surviving begins with these traits}, so it cannot have others; only what follows from how its
 * server is set up is found out when it is opened.
 *
 * @param store its name
 * @param usual the traits of its recommended set-up, with default settings
 * @param least what a write survives in its weakest set-up
 * @param survivesBy what decides between the two, in a few words; empty when there is nothing to decide
 * @param skewBy what decides on the skew of clocks; empty when there is none to declare
 * @param largestBy what decides on the largest outcome; empty when any size is kept, or always the same
 * @param joinsBy what decides whether it joins transactions; empty when that is always so, or never
 */
public record DeclaredTraits(
        String store,
        StoreTraits usual,
        Survives least,
        String survivesBy,
        String skewBy,
        String largestBy,
        String joinsBy) {

    public DeclaredTraits {
        if (least.compareTo(usual.survives()) > 0)
            throw new IllegalArgumentException("At least " + least + " is more than the usual " + usual.survives());
        if (least.equals(usual.survives()) != survivesBy.isEmpty())
            throw new IllegalArgumentException("Something decides whether a write survives " + usual.survives()
                    + " or only " + least + ", and only then.");
    }

    /** A store that promises the same however it is set up. */
    public static DeclaredTraits always(String store, StoreTraits traits) {
        return new DeclaredTraits(store, traits, traits.survives(), "", "", "", "");
    }

    /** The same, but that this decides what a write survives, and in the weakest set-up it is this. */
    public DeclaredTraits atLeast(Survives least, String survivesBy) {
        return new DeclaredTraits(store, usual, least, survivesBy, skewBy, largestBy, joinsBy);
    }

    public DeclaredTraits withSkewBy(String skewBy) {
        return new DeclaredTraits(store, usual, least, survivesBy, skewBy, largestBy, joinsBy);
    }

    public DeclaredTraits withLargestBy(String largestBy) {
        return new DeclaredTraits(store, usual, least, survivesBy, skewBy, largestBy, joinsBy);
    }

    public DeclaredTraits withJoiningBy(String joinsBy) {
        return new DeclaredTraits(store, usual, least, survivesBy, skewBy, largestBy, joinsBy);
    }

    /** The same for a set-up that the URL of a store tells of. */
    public DeclaredTraits withUsual(StoreTraits usual) {
        return new DeclaredTraits(store, usual, least, survivesBy, skewBy, largestBy, joinsBy);
    }

    /**
     * The traits of an open store that survives this, as it is set up.
     *
     * @throws IllegalArgumentException when that is outside of what was declared
     */
    public StoreTraits surviving(Survives survives) {
        if (survives.compareTo(least) < 0 || survives.compareTo(usual.survives()) > 0)
            throw new IllegalArgumentException(
                    store + " declares " + least + " to " + usual.survives() + ", not " + survives + ".");
        return usual.withSurvives(survives);
    }
}
