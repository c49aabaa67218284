package dev.semel.cli.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A plan for a terminal of a hundred columns. */
public final class PlanTable {
    private static final int WIDTH = 100;

    private final Demand demand;
    private final Prices prices;
    private final List<StorePlan> plans;
    private final List<String> lines = new ArrayList<>();

    private PlanTable(Demand demand, Prices prices, List<StorePlan> plans) {
        this.demand = demand;
        this.prices = prices;
        this.plans = plans;
    }

    public static List<String> of(Demand demand, Prices prices, List<StorePlan> plans) {
        return new PlanTable(demand, prices, plans).write();
    }

    private List<String> write() {
        kept();
        stores();
        windows();
        notes();
        inputs();
        return lines;
    }

    private void kept() {
        wrapped(
                "",
                "%s new keys a second with outcomes of %s, kept for %s; tombstones for %s after that; %s %% duplicates."
                        .formatted(
                                PlanText.whole(demand.perSecond()),
                                PlanText.bytes((double) demand.body()),
                                PlanText.time(demand.retention()),
                                PlanText.time(demand.tombstone()),
                                PlanText.whole(demand.duplicates() * 100)));
        wrapped(
                "",
                "Kept at any moment: %s outcomes and %s tombstones. New keys: %s a day. The store is asked for %s writes and %s looks a second."
                        .formatted(
                                PlanText.count(demand.outcomes()),
                                PlanText.count(demand.tombstones()),
                                PlanText.count(demand.perSecond() * 86_400),
                                PlanText.whole(demand.perSecond() * 2),
                                PlanText.whole(demand.perSecond() * demand.duplicates())));
        lines.add("");
    }

    private static final String ROW = "%-11s %7s %7s %8s %8s %8s %6s %9s %9s %8s %9s";

    private void stores() {
        line("%-11s %15s %26s %6s %38s".formatted("", "bytes a key", "bytes in one copy", "", "US dollars a month"));
        line(ROW.formatted(
                "store",
                "outcome",
                "tombst.",
                "outcomes",
                "tombst.",
                "in all",
                "copies",
                "storage",
                "requests",
                "machines",
                "in all"));
        for (StorePlan it : plans)
            line(ROW.formatted(
                    it.store(),
                    PlanText.whole(Math.rint(it.outcomeBytes())),
                    PlanText.whole(Math.rint(it.tombstoneBytes())),
                    PlanText.bytes(it.outcomes()),
                    PlanText.bytes(it.tombstones()),
                    PlanText.bytes(it.total()),
                    PlanText.whole(it.copies()),
                    PlanText.money(it.cost().storage()),
                    PlanText.money(it.cost().requests()),
                    PlanText.money(it.cost().machines()),
                    PlanText.money(it.cost().total())));
        lines.add("");
    }

    private static final String WINDOW = "%-11s %10s %10s %10s %12s   %s";

    private void windows() {
        lines.add("Outcomes alone, in one copy, if they were kept for");
        List<String> names = Planner.WINDOWS.stream().map(PlanText::time).toList();
        boolean tiers = demand.tombstones() > 0;
        String whole = tiers ? PlanText.time(demand.retention().plus(demand.tombstone())) + " *" : "";
        line(WINDOW.formatted("store", names.get(0), names.get(1), names.get(2), whole, "beside the estimate"));
        double each = Planner.estimate(demand.body());
        line(WINDOW.formatted(
                "(estimate)",
                PlanText.bytes(
                        each * demand.withRetention(Planner.WINDOWS.get(0)).outcomes()),
                PlanText.bytes(
                        each * demand.withRetention(Planner.WINDOWS.get(1)).outcomes()),
                PlanText.bytes(
                        each * demand.withRetention(Planner.WINDOWS.get(2)).outcomes()),
                tiers ? PlanText.bytes(each * (demand.outcomes() + demand.tombstones())) : "",
                "key %d + %d + rest %d = %d bytes"
                        .formatted(Planner.ESTIMATED_KEY, demand.body(), Planner.ESTIMATED_REST, Math.round(each))));
        for (StorePlan it : plans)
            line(WINDOW.formatted(
                    it.store(),
                    PlanText.bytes(window(it, 0)),
                    PlanText.bytes(window(it, 1)),
                    PlanText.bytes(window(it, 2)),
                    tiers ? PlanText.bytes(it.outcomeBytes() * (demand.outcomes() + demand.tombstones())) : "",
                    PlanText.digits(it.outcomeBytes() / each) + " times"));
        if (tiers)
            lines.add("* all keys with their outcomes for the whole time: what the lower tier, tombstones, saves");
        lines.add("");
    }

    private static double window(StorePlan plan, int index) {
        return plan.windows().getOrDefault(PlanText.time(Planner.WINDOWS.get(index)), 0.0);
    }

    private void notes() {
        for (StorePlan it : plans) {
            List<String> notes = new ArrayList<>(it.notes());
            if (it.cost().machineCount() > 0) notes.add(it.cost().machineCount() + " machines");
            if (!notes.isEmpty()) wrapped(it.store() + ": ", String.join("; ", notes) + ".");
        }
        lines.add("");
    }

    private void inputs() {
        wrapped(
                "",
                "Bytes were measured, by 'semel bench storage': compressing stores take less where outcomes compress."
                        + " Not in the sums: the gateways, traffic, backups, people. Prices and"
                        + " assumptions, as of " + Prices.AS_OF
                        + "; change them with --price NAME=VALUE:");
        wrapped("  ", prices.all().stream().map(it -> it.assignment()).collect(Collectors.joining(", ")));
        lines.add("'semel plan --help' says where each comes from. Check them before you decide.");
    }

    private void line(String cells) {
        lines.add(cells.stripTrailing());
    }

    /** In lines of at most so many columns, all but the first as far to the right as the label is long. */
    private void wrapped(String label, String text) {
        StringBuilder line = new StringBuilder(label);
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() > WIDTH) {
                lines.add(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(label.length()));
            }
            line.append(word).append(' ');
        }
        lines.add(line.toString().stripTrailing());
    }
}
