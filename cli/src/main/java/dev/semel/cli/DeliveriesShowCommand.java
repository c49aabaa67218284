package dev.semel.cli;

import dev.semel.broker.webhook.delivery.WebhookDeliveries.Line;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "show",
        description = "Shows the deliveries of one message and every attempt.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeliveriesShowCommand implements Callable<Integer> {
    @Parameters(paramLabel = "MESSAGE", description = "the id of the message", converter = MessageId.class)
    private UUID id = new UUID(0, 0);

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        return webhooks.deliveries(it -> {
            List<Line> lines = it.of(id);
            if (lines.isEmpty()) {
                System.err.println("semel: There are no deliveries of message " + id + ", or not any more.");
                return 1;
            }
            DeliveryOutput.table(lines).forEach(System.out::println);
            System.out.println();
            DeliveryOutput.attempts(it.attempts(id)).forEach(System.out::println);
            return 0;
        });
    }
}
