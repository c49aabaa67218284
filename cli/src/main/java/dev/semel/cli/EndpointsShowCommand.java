package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.Endpoint;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows one endpoint, without its secrets.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class EndpointsShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "its id", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        return webhooks.endpoints(it -> {
            Endpoint endpoint = it.find(id);
            if (endpoint == null) return WebhookOptions.said(false, "", id);
            EndpointOutput.whole(endpoint, it.secrets(id)).forEach(System.out::println);
            return 0;
        });
    }
}
