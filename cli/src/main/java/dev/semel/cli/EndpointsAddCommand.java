package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.Endpoint;
import dev.semel.broker.webhook.endpoint.WebhookEndpoints;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "add",
        description = "Adds an endpoint, and shows its secret: only now.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class EndpointsAddCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "URL",
            description = "https://…; an address of the public internet, unless relays allow others")
    private String url = "";

    @Mixin
    private EndpointOptions options = new EndpointOptions();

    @Mixin
    private SecretOptions secret = new SecretOptions();

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        return webhooks.newEndpoint(it -> {
            WebhookEndpoints.Added added = it.add(options.over(Endpoint.Plan.to(url)), secret.kind());
            System.out.println("Added endpoint " + added.id() + ".");
            SecretOptions.print(added.secret());
            return 0;
        });
    }
}
