package dev.semel.cli;

import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "remove",
        description = "Removes it for good, with its secrets and all that was to be delivered to it.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class EndpointsRemoveCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "its id", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Option(names = "--yes", description = "say that this is meant")
    private boolean yes;

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        if (!yes)
            throw new UsageProblem("What waits for the endpoint is lost with it. Give --yes if that is meant;"
                    + " 'disable' keeps it.");
        return webhooks.endpoints(it -> WebhookOptions.said(it.remove(id), "Removed endpoint " + id + ".", id));
    }
}
