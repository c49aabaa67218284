package dev.semel.gateway;

import dev.semel.core.store.DeclaredTraits;
import dev.semel.core.store.StoreTraits;
import dev.semel.core.store.StoreTraits.Forgetting;
import dev.semel.core.store.StoreTraits.LeaseClock;
import dev.semel.core.store.StoreTraits.Survives;
import dev.semel.http.DurationText;
import java.util.ArrayList;
import java.util.List;

/** What a store promises and cannot do, in plain words. */
public final class TraitsText {
    private static final long KIB = 1024;
    private static final long MIB = KIB * 1024;

    private TraitsText() {}

    /** Sentences about a store that is not open yet. */
    public static List<String> sentences(DeclaredTraits declared) {
        StoreTraits traits = declared.usual();
        List<String> lines = new ArrayList<>();
        lines.add("a write that was answered survives " + survives(traits.survives()) + decided(declared));
        lines.add("leases are judged by " + clock(traits) + skewed(declared));
        lines.add(
                traits.clock() == LeaseClock.PROCESS
                        ? "one process at a time can have it open"
                        : "any number of gateways can share it");
        lines.add(
                traits.largestOutcome() == Long.MAX_VALUE
                        ? "outcomes of any size are kept"
                        : "outcomes of up to " + size(traits.largestOutcome())
                                + bare(declared.largestBy(), " (%s)")
                                + " are kept; a larger one is passed on and recorded without its body");
        lines.add("keys that are forgotten are removed by " + forgetting(traits));
        List<String> lacking = lacking(traits);
        if (!lacking.isEmpty()) lines.add("it cannot " + String.join("; nor ", lacking));
        return lines;
    }

    private static String decided(DeclaredTraits declared) {
        if (declared.survivesBy().isEmpty()) return "";
        return ", in its weakest set-up " + survives(declared.least()) + "; decided by "
                + bare(declared.survivesBy(), "%s") + ": the gateway says at its start what it found";
    }

    private static String skewed(DeclaredTraits declared) {
        StoreTraits traits = declared.usual();
        if (!traits.skew().isZero())
            return ", which may differ by " + DurationText.of(traits.skew())
                    + ": a silent holder counts as dead that much later";
        return bare(declared.skewBy(), " (skew: none, but %s)");
    }

    /** One line about a store that is open. */
    public static String line(StoreTraits traits) {
        List<String> parts = new ArrayList<>();
        parts.add("an answered write survives " + survives(traits.survives()));
        parts.add("leases by " + clock(traits)
                + (traits.skew().isZero() ? "" : ", skew " + DurationText.of(traits.skew())));
        parts.add("outcomes of "
                + (traits.largestOutcome() == Long.MAX_VALUE ? "any size" : "up to " + size(traits.largestOutcome())));
        parts.add("forgotten by " + forgetting(traits));
        List<String> lacking = new ArrayList<>();
        if (!traits.lists()) lacking.add("list");
        if (!traits.counts()) lacking.add("count");
        if (!traits.notifies()) lacking.add("notify");
        if (!traits.joins()) lacking.add("join");
        if (!lacking.isEmpty()) parts.add("cannot " + String.join(", ", lacking));
        return String.join("; ", parts);
    }

    public static String survives(Survives survives) {
        return switch (survives) {
            case NOTHING -> "nothing";
            case PROCESS_DEATH -> "the death of a process";
            case POWER_LOSS -> "the loss of power";
            case NODE_LOSS -> "the loss of a machine";
        };
    }

    public static String clock(StoreTraits traits) {
        return switch (traits.clock()) {
            case PROCESS -> "this machine's clock";
            case SERVER -> "the server's clock";
            case CLIENTS -> "the clients' clocks";
        };
    }

    public static String forgetting(StoreTraits traits) {
        return traits.forgetting() == Forgetting.SERVER ? "the server" : "the sweep";
    }

    private static List<String> lacking(StoreTraits traits) {
        List<String> lacking = new ArrayList<>();
        if (!traits.lists()) lacking.add("list keys");
        if (!traits.counts()) lacking.add("count keys, so a quota of kept keys does not start");
        if (!traits.notifies())
            lacking.add("tell waiters of other processes when a key is finished, so they look ten times a second");
        if (!traits.joins()) lacking.add("take part in a transaction of the caller's own");
        return lacking;
    }

    /** In whole units, rounded down. */
    public static String size(long bytes) {
        if (bytes == Long.MAX_VALUE) return "any size";
        if (bytes >= 10 * MIB || (bytes >= MIB && bytes % MIB == 0)) return bytes / MIB + " MiB";
        return bytes >= KIB ? bytes / KIB + " KiB" : bytes + " bytes";
    }

    /** Put into a sentence, without the marks of documents; nothing where there is nothing to say. */
    private static String bare(String text, String sentence) {
        return text.isEmpty() ? "" : sentence.formatted(text.replace("`", ""));
    }
}
