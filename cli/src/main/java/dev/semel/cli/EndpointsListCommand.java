package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.Endpoint;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description = "Lists endpoints, without their secrets.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class EndpointsListCommand implements Callable<Integer> {
    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        return webhooks.endpoints(it -> {
            List<Endpoint> endpoints = it.list();
            if (endpoints.isEmpty()) System.out.println("There are no endpoints.");
            else EndpointOutput.table(endpoints).forEach(System.out::println);
            return 0;
        });
    }
}
