package dev.semel.cli;

import picocli.CommandLine.Command;

@Command(
        name = "bench",
        description = "Measures Semel on this machine, with everything it needs started for it.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "WHAT",
        subcommands = {
            BenchGatewayCommand.class,
            BenchPostgresqlCommand.class,
            BenchGrowthCommand.class,
            BenchStorageCommand.class,
            BenchRestateCommand.class,
            BenchLibrariesCommand.class,
            BenchOutboxCommand.class,
            BenchMicroCommand.class,
            BenchPlotCommand.class
        })
final class BenchCommand {}
