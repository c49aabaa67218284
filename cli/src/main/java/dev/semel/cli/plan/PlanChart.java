package dev.semel.cli.plan;

import java.time.Duration;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A plan as a picture: what is kept by window, on a logarithmic scale, and what it costs. SVG, for light and dark pages. */
public final class PlanChart {
    private static final int WIDTH = 960;
    private static final int LABELS = 110;
    private static final int END = 850;
    private static final int BAR = 10;
    private static final int GROUP = 44;
    private static final int ROW = 26;
    private static final int TOP = 96;
    private static final int BETWEEN = 92;
    private static final String STYLE = """
        text { font: 12px system-ui, sans-serif; fill: #3d444d; }
        .title { font-weight: 600; font-size: 13px; }
        .small { font-size: 11px; fill: #6e7781; }
        .grid { stroke: #8b949e; stroke-opacity: .3; }
        .a { fill: #9ec5ee; } .b { fill: #4c8dd6; } .c { fill: #1f5fa8; }
        .estimate { stroke: #c0392b; stroke-width: 2; }
        .storage { fill: #4c8dd6; } .requests { fill: #d9822b; } .machines { fill: #8b949e; }
        @media (prefers-color-scheme: dark) {
          text { fill: #d1d7e0; }
          .small { fill: #9198a1; }
          .c { fill: #2f81f7; }
          .estimate { stroke: #ff7b72; }
        }
        """;

    private final Demand demand;
    private final List<StorePlan> plans;
    private final StringBuilder svg = new StringBuilder();
    private final Formatter out = new Formatter(svg, Locale.ROOT);

    private PlanChart(Demand demand, List<StorePlan> plans) {
        this.demand = demand;
        this.plans = plans;
    }

    public static String of(Demand demand, List<StorePlan> plans) {
        return new PlanChart(demand, plans).draw();
    }

    private String draw() {
        int costs = TOP + plans.size() * GROUP + BETWEEN;
        int height = costs + plans.size() * ROW + 20;
        out.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%n",
                WIDTH, height, WIDTH, height);
        out.format("<style>%n%s</style>%n", STYLE);
        text(
                "title",
                10,
                22,
                "%s new keys a second, outcomes of %s"
                        .formatted(PlanText.whole(demand.perSecond()), PlanText.bytes((double) demand.body())));
        kept();
        costs(costs);
        return svg.append("</svg>\n").toString();
    }

    /** From the power of ten below the least to the one above the most. */
    private void kept() {
        text("title", 10, 50, "Outcomes alone, in one copy, by how long they are kept");
        String[] colours = {"a", "b", "c"};
        int x = 10;
        for (int i = 0; i < colours.length; i++) {
            out.format("<rect class=\"%s\" x=\"%d\" y=\"60\" width=\"22\" height=\"%d\"/>%n", colours[i], x, BAR);
            text("small", x + 28, 69, PlanText.time(Planner.WINDOWS.get(i)));
            x += 80;
        }
        out.format("<line class=\"estimate\" x1=\"%d\" y1=\"58\" x2=\"%d\" y2=\"72\"/>%n", x, x);
        text(
                "small",
                x + 8,
                69,
                "estimate: %d bytes a key (logarithmic scale)".formatted(Math.round(Planner.estimate(demand.body()))));
        Duration shortest = Planner.WINDOWS.getFirst();
        Duration longest = Planner.WINDOWS.getLast();
        double least = Math.min(Planner.estimate(demand.body()), most(StorePlan::outcomeBytes, false))
                * demand.withRetention(shortest).outcomes();
        double most = Math.max(Planner.estimate(demand.body()), most(StorePlan::outcomeBytes, true))
                * demand.withRetention(longest).outcomes();
        double low = Math.floor(Math.log10(least));
        double high = Math.ceil(Math.log10(most));
        for (double power = low; power <= high; power++) {
            double at = LABELS + (END - LABELS) * (power - low) / (high - low);
            out.format(
                    "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                    at, TOP, at, TOP + plans.size() * GROUP);
            out.format(
                    "<text class=\"small\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n",
                    at, TOP - 6, PlanText.bytes(Math.pow(10, power)).replaceFirst("[.]0+ ", " "));
        }
        for (int row = 0; row < plans.size(); row++) {
            StorePlan plan = plans.get(row);
            int y = TOP + row * GROUP + 6;
            text("", 10, y + 20, plan.store());
            for (int i = 0; i < colours.length; i++) {
                Demand window = demand.withRetention(Planner.WINDOWS.get(i));
                double bytes = window.outcomes() * plan.outcomeBytes();
                double width = (END - LABELS) * (Math.log10(bytes) - low) / (high - low);
                int top = y + i * (BAR + 1);
                out.format(
                        "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
                        colours[i], LABELS, top, width, BAR);
                text("small", LABELS + width + 6, top + 9, PlanText.bytes(bytes));
                double estimate = LABELS
                        + (END - LABELS)
                                * (Math.log10(window.outcomes() * Planner.estimate(demand.body())) - low)
                                / (high - low);
                out.format(
                        "<line class=\"estimate\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>%n",
                        estimate, top - 1, estimate, top + BAR);
            }
        }
    }

    private double most(ToDoubleFunction<StorePlan> figure, boolean largest) {
        return largest
                ? plans.stream().mapToDouble(figure).max().orElse(1)
                : plans.stream().mapToDouble(figure).min().orElse(1);
    }

    private void costs(int top) {
        text(
                "title",
                10,
                top - 44,
                "US dollars a month: outcomes for %s, tombstones for %s, all copies"
                        .formatted(PlanText.time(demand.retention()), PlanText.time(demand.tombstone())));
        int x = 10;
        for (String part : List.of("storage", "requests", "machines")) {
            out.format("<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"22\" height=\"%d\"/>%n", part, x, top - 32, BAR);
            text("small", x + 28, top - 23, part);
            x += 100;
        }
        text("small", x, top - 23, "(prices as of " + Prices.AS_OF + ", and assumptions: see semel plan --help)");
        double most = most(it -> it.cost().total(), true);
        for (int row = 0; row < plans.size(); row++) {
            StorePlan plan = plans.get(row);
            int y = top + row * ROW;
            text("", 10, y + 13, plan.store());
            double at = LABELS;
            at += part("storage", at, y, plan.cost().storage(), most);
            at += part("requests", at, y, plan.cost().requests(), most);
            at += part("machines", at, y, plan.cost().machines(), most);
            text("small", at + 6, y + 13, "$" + PlanText.money(plan.cost().total()));
        }
    }

    private double part(String name, double x, int y, double value, double most) {
        double width = most == 0 ? 0 : (END - LABELS) * value / most;
        out.format("<rect class=\"%s\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"16\"/>%n", name, x, y + 1, width);
        return width;
    }

    private void text(String style, double x, int y, String text) {
        out.format("<text class=\"%s\" x=\"%.1f\" y=\"%d\">%s</text>%n", style, x, y, text);
    }
}
