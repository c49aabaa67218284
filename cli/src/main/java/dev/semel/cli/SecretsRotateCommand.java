package dev.semel.cli;

import dev.semel.broker.webhook.endpoint.NewSecret;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "rotate",
        description =
                "Gives an endpoint a new secret, and shows it: only now. Old ones count until the overlap is over.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class SecretsRotateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ENDPOINT", description = "its id", converter = EndpointId.class)
    private UUID id = new UUID(0, 0);

    @Option(
            names = "--overlap",
            paramLabel = "HOURS",
            description = "for how long webhooks are signed with the old secrets too (default: 24; 0 for a leaked one)")
    private int overlap = 24;

    @Mixin
    private SecretOptions secret = new SecretOptions();

    @Mixin
    private WebhookOptions webhooks = new WebhookOptions();

    @Override
    public Integer call() {
        if (overlap < 0 || overlap > 24 * 365)
            throw new UsageProblem("--overlap is a number of hours, not " + overlap + ".");
        return webhooks.endpoints(it -> {
            NewSecret made = it.rotate(id, secret.kind(), Duration.ofHours(overlap));
            if (made == null) return WebhookOptions.said(false, "", id);
            SecretOptions.print(made);
            return 0;
        });
    }
}
