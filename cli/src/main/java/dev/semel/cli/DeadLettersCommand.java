package dev.semel.cli;

import picocli.CommandLine.Command;

@Command(
        name = "dead-letters",
        description = "Shows the messages that a broker did not take, sends them again, or drops them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "WHAT",
        subcommands = {
            DeadLettersListCommand.class,
            DeadLettersShowCommand.class,
            DeadLettersRedriveCommand.class,
            DeadLettersDropCommand.class
        },
        footer = {
            "",
            "They are read from the database of the outbox: --store URL, or SEMEL_STORE. What is sent again is sent by"
                    + " the",
            "relays that run, with the ids that it has always had, and of each key in its order.",
            "",
            "Exit codes: 0 done, 1 there was nothing to do, 2 the command line is wrong, 3 the database cannot be"
                    + " reached.",
        })
final class DeadLettersCommand {}
