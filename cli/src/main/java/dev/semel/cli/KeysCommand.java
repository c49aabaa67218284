package dev.semel.cli;

import picocli.CommandLine.Command;

@Command(
        name = "keys",
        description = "Looks keys up in a running gateway, and puts right what only a person can.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "WHAT",
        subcommands = {KeysListCommand.class, KeysGetCommand.class, KeysResolveCommand.class, KeysReleaseCommand.class},
        footer = {
            "",
            "Exit codes: 0 done, 1 the gateway refused it, 2 the command line is wrong, 3 the gateway cannot be"
                    + " reached.",
        })
final class KeysCommand {}
