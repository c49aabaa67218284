package dev.semel.cli;

import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "enable",
        description = "Sends to it from now on, first what waits.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class EndpointsEnableCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "its id", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        return webhooks.endpoints(it -> WebhookOptions.said(it.enable(id), "Enabled endpoint " + id + ".", id));
    }
}
