package dev.semel.cli;

import dev.semel.cli.plan.Demand;
import dev.semel.cli.plan.MeasuredBytes;
import dev.semel.cli.plan.PlanChart;
import dev.semel.cli.plan.PlanJson;
import dev.semel.cli.plan.PlanTable;
import dev.semel.cli.plan.PlanText;
import dev.semel.cli.plan.Planner;
import dev.semel.cli.plan.Price;
import dev.semel.cli.plan.Prices;
import dev.semel.cli.plan.StorePlan;
import dev.semel.gateway.config.Spelling;
import dev.semel.http.DurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "plan",
        description = "Room and cost of the keys in each store, from measured bytes per key. Asks no server anything.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Example: semel plan --tps 10000 --retention 24h --body 200 --tombstone 0s",
            "Bytes per key are measured by 'semel bench storage'; docs/planning.md explains the sums."
        })
final class PlanCommand implements Callable<Integer> {
    @Option(names = "--tps", paramLabel = "N", required = true, description = "new keys a second, over the whole day")
    private double perSecond;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            required = true,
            description = "how long outcomes are kept: 1h, 24h, 30d")
    private String retention = "24h";

    @Option(
            names = "--body",
            paramLabel = "SIZE",
            required = true,
            description = "bytes of an outcome, headers that are kept included: 200, 1KB, 64KiB")
    private String body = "0";

    @Option(
            names = "--tombstone",
            paramLabel = "TIME",
            description =
                    "how long a used key is remembered after that (default: 30d, as in a configuration; 0s: not at"
                            + " all)")
    private String tombstone = "30d";

    @Option(
            names = "--duplicates",
            paramLabel = "PERCENT",
            description = "how many requests repeat an earlier one, in percent of the new keys (default: 1)")
    private double duplicates = 1;

    @Option(names = "--store", split = ",", paramLabel = "NAME", description = "only these (default: all)")
    private List<String> stores = List.of();

    @Option(
            names = "--price",
            paramLabel = "NAME=VALUE",
            description = "a price or an assumption of your own; can be given several times, see below")
    private List<String> prices = List.of();

    @Option(names = "--json", description = "print the plan as JSON")
    private boolean json;

    @Option(names = "--svg", paramLabel = "FILE", description = "also draw it into this file")
    private @Nullable Path svg;

    /** Before the footer: what {@code --price} can name. */
    @Spec
    void listPrices(CommandSpec spec) {
        IHelpSectionRenderer footer = spec.usageMessage().sectionMap().get(UsageMessageSpec.SECTION_KEY_FOOTER);
        spec.usageMessage()
                .sectionMap()
                .put(
                        UsageMessageSpec.SECTION_KEY_FOOTER,
                        help -> priceList() + (footer == null ? help.footer() : footer.render(help)));
    }

    private static String priceList() {
        List<List<String>> rows = new ArrayList<>();
        for (Price it : Prices.defaults().all())
            rows.add(List.of("  " + it.assignment(), it.unit() + "; " + it.from()));
        return "\nPrices and assumptions, as of " + Prices.AS_OF + ":\n" + String.join("\n", TerminalText.aligned(rows))
                + "\n";
    }

    @Override
    public Integer call() throws IOException {
        try {
            Demand demand = new Demand(
                    perSecond,
                    PlanText.size(body),
                    DurationText.parse(retention),
                    DurationText.parse(tombstone),
                    duplicates / 100);
            Prices given = Prices.defaults();
            for (String each : prices) given = given.with(each);
            Planner planner = new Planner(demand, given);
            List<StorePlan> plans = measured().stream().map(planner::plan).toList();
            if (json) System.out.println(PlanJson.of(demand, given, plans));
            else for (String line : PlanTable.of(demand, given, plans)) System.out.println(line);
            if (svg != null) System.err.println("drawn: " + Files.writeString(svg, PlanChart.of(demand, plans)));
            return 0;
        } catch (IllegalArgumentException e) {
            throw new UsageProblem(String.valueOf(e.getMessage()));
        }
    }

    private List<MeasuredBytes> measured() {
        Map<String, MeasuredBytes> all = MeasuredBytes.all();
        if (stores.isEmpty()) return List.copyOf(all.values());
        List<MeasuredBytes> wanted = new ArrayList<>();
        for (String name : stores) {
            MeasuredBytes found = all.get(name);
            if (found == null) {
                String meant = Spelling.nearest(name, all.keySet());
                throw new IllegalArgumentException("No store '" + TerminalText.text(name) + "' was measured."
                        + (meant == null
                                ? " There are " + String.join(", ", all.keySet()) + "."
                                : " Did you mean '" + meant + "'?"));
            }
            wanted.add(found);
        }
        return List.copyOf(wanted);
    }
}
