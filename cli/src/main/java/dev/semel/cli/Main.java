package dev.semel.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code semel}: one word, then what to do. */
@Command(
        name = "semel",
        description = "Makes retried operations harmless: exactly-once effect for HTTP APIs.",
        mixinStandardHelpOptions = true,
        version = "semel 0.1.0",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ServeCommand.class,
            CheckCommand.class,
            KeysCommand.class,
            MigrateCommand.class,
            RelayCommand.class,
            DeadLettersCommand.class,
            WebhooksCommand.class,
            DemoCommand.class,
            UpstreamCommand.class,
            PlanCommand.class,
            BenchCommand.class,
            TortureCommand.class
        },
        footer = {
            "",
            "Exit codes: 0 all went well, 1 it did not, 2 the command line or the configuration is wrong.",
            "Start with: semel demo"
        })
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    static int run(String... args) {
        CommandLine line = new CommandLine(new Main());
        line.setUsageHelpWidth(100);
        line.setParameterExceptionHandler(new Mistakes());
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("semel: " + (failure.getMessage() == null ? failure : failure.getMessage()));
            if (failure instanceof UnreachableProblem) return 3;
            return failure instanceof UsageProblem ? 2 : 1;
        });
        if (args.length == 0) {
            line.usage(line.getOut());
            return 2;
        }
        return line.execute(args);
    }
}
