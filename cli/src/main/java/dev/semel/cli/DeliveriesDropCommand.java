package dev.semel.cli;

import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "drop",
        description = "Gives a dead delivery up; what waits behind it goes on.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeliveriesDropCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "the id of the endpoint", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Option(names = "--message", paramLabel = "ID", description = "which one", converter = MessageId.class)
    private @Nullable UUID message;

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        UUID which = message;
        if (which == null) throw new UsageProblem("Say which delivery: --message ID.");
        return webhooks.deliveries(it -> {
            boolean dropped = it.drop(id, which);
            if (dropped) System.out.println("Dropped " + which + "; endpoint " + id + " never gets it.");
            else System.err.println("semel: Message " + which + " is no dead delivery of endpoint " + id + ".");
            return dropped ? 0 : 1;
        });
    }
}
