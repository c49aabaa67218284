package dev.semel.cli;

import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "disable",
        description = "Sends nothing to it any more; what comes for it waits. Needs a --reason.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class EndpointsDisableCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "its id", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Option(names = "--reason", paramLabel = "TEXT", description = "why; it is shown with the endpoint")
    private @Nullable String reason;

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        String why = reason;
        if (why == null || why.isBlank()) throw new UsageProblem("Give --reason: why. It is shown with the endpoint.");
        return webhooks.endpoints(it ->
                WebhookOptions.said(it.disable(id, why), "Disabled endpoint " + id + ". What comes for it waits.", id));
    }
}
