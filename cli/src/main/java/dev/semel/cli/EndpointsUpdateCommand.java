package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.Endpoint;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "update",
        description = "Changes what is given, and nothing else.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class EndpointsUpdateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "its id", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Option(names = "--url", paramLabel = "URL", description = "where it is now")
    private @Nullable String url;

    @Mixin
    private EndpointOptions options = new EndpointOptions();

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        return webhooks.endpoints(it -> {
            Endpoint endpoint = it.find(id);
            if (endpoint == null) return WebhookOptions.said(false, "", id);
            Endpoint.Plan plan = options.over(endpoint.plan());
            return WebhookOptions.said(
                    it.update(id, url == null ? plan : plan.at(url)), "Changed endpoint " + id + ".", id);
        });
    }
}
