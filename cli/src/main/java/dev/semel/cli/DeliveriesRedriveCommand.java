package dev.semel.cli;

import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "redrive",
        description = "Sends dead deliveries again, with the ids that they have always had.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeliveriesRedriveCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "the id of the endpoint", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Option(names = "--message", paramLabel = "ID", description = "only this one", converter = MessageId.class)
    private @Nullable UUID message;

    @Option(names = "--all", description = "all that are dead; without it --message is needed")
    private boolean all;

    @Option(names = "--delivered", description = "also if it was delivered, for a receiver that has lost it")
    private boolean delivered;

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        if (message == null == !all) throw new UsageProblem("Say which deliveries: --message ID, or --all.");
        if (delivered && message == null) throw new UsageProblem("--delivered needs --message ID.");
        return webhooks.deliveries(it -> {
            int count = it.redrive(id, message, delivered);
            System.out.println(count == 0 ? "No dead delivery is like that." : "Sends " + count + " deliveries again.");
            return count == 0 ? 1 : 0;
        });
    }
}
