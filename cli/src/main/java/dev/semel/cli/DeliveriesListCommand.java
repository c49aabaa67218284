package dev.semel.cli;

import dev.semel.broker.webhook.delivery.WebhookDeliveries.Line;
import dev.semel.broker.webhook.delivery.WebhookDeliveries.State;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists deliveries, the newest first.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeliveriesListCommand implements Callable<Integer> {
    @Option(names = "--endpoint", paramLabel = "ID", description = "only to this one", converter = EndpointId.class)
    private @Nullable UUID endpoint;

    @Option(names = "--state", paramLabel = "STATE", description = "only open, delivered, dead or dropped ones")
    private @Nullable String state;

    @Option(names = "--limit", paramLabel = "N", description = "at most so many (default: 100)")
    private int limit = 100;

    @Option(names = "--before", paramLabel = "POSITION", description = "go on where the last list ended")
    private long before = Long.MAX_VALUE;

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        if (limit < 1 || limit > 10_000)
            throw new UsageProblem("--limit is a number from 1 to 10000, not " + limit + ".");
        State which = state();
        return webhooks.deliveries(it -> {
            List<Line> lines = it.list(endpoint, which, before, limit);
            if (lines.isEmpty()) System.out.println("There are no such deliveries.");
            else DeliveryOutput.table(lines).forEach(System.out::println);
            if (lines.size() == limit)
                System.out.println(
                        "There may be more: --before " + lines.getLast().position());
            return 0;
        });
    }

    private @Nullable State state() {
        if (state == null) return null;
        for (State each : State.values()) if (each.name().equalsIgnoreCase(state)) return each;
        throw new UsageProblem("--state is open, delivered, dead or dropped, not '" + TerminalText.text(state) + "'.");
    }
}
