package dev.semel.cli;

import picocli.CommandLine.Command;

@Command(
        name = "webhooks",
        description = "Says where a relay sends webhooks to, and shows and repeats what it sent.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "WHAT",
        subcommands = {WebhooksCommand.Endpoints.class, WebhooksCommand.Secrets.class, WebhooksCommand.Deliveries.class
        },
        footer = {
            "",
            "All of it is in the database of the outbox: --store URL, or SEMEL_STORE. Sent is it by the relays that"
                    + " were",
            "started with --broker webhook:. SEMEL_WEBHOOK_KEY, 32 bytes in base64, encrypts the secrets; relays need"
                    + " the same.",
            "",
            "Begin with:  semel webhooks endpoints add https://example.com/hooks --topic orders",
            "",
            "Exit codes: 0 done, 1 there was nothing to do, 2 the command line is wrong, 3 the database cannot be"
                    + " reached.",
        })
final class WebhooksCommand {
    @Command(
            name = "endpoints",
            description = "Where webhooks go to.",
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "WHAT",
            subcommands = {
                EndpointsListCommand.class,
                EndpointsAddCommand.class,
                EndpointsShowCommand.class,
                EndpointsUpdateCommand.class,
                EndpointsDisableCommand.class,
                EndpointsEnableCommand.class,
                EndpointsRemoveCommand.class
            })
    static final class Endpoints {}

    @Command(
            name = "secrets",
            description = "What webhooks are signed with.",
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "WHAT",
            subcommands = SecretsRotateCommand.class)
    static final class Secrets {}

    @Command(
            name = "deliveries",
            description = "Messages on their way to endpoints.",
            mixinStandardHelpOptions = true,
            synopsisSubcommandLabel = "WHAT",
            subcommands = {
                DeliveriesListCommand.class,
                DeliveriesShowCommand.class,
                DeliveriesRedriveCommand.class,
                DeliveriesDropCommand.class
            })
    static final class Deliveries {}
}
