package dev.semel.cli;

import dev.semel.gateway.config.Spelling;
import java.io.PrintWriter;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, what was probably meant, and where to read on: not the whole usage. */
final class Mistakes implements IParameterExceptionHandler {

    @Override
    public int handleParseException(ParameterException mistake, String[] line) {
        CommandLine command = mistake.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("semel: " + sentence(mistake, command));
        err.println("semel: See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return 2;
    }

    private static String sentence(ParameterException mistake, CommandLine command) {
        Collection<String> commands = command.getSubcommands().keySet();
        if (mistake instanceof UnmatchedArgumentException it)
            return unknown(it.getUnmatched().getFirst(), command, commands);
        String message = String.valueOf(mistake.getMessage());
        if (message.startsWith("Missing required subcommand"))
            return "Say what to do: " + String.join(", ", commands) + ".";
        return message.replaceFirst("^Error: ", "").replaceAll("\\s*\\R\\s*", " ");
    }

    private static String unknown(String word, CommandLine command, Collection<String> commands) {
        String shown = "'" + TerminalText.text(word) + "'";
        if (word.startsWith("-")) {
            String option = word.replaceFirst("=.*", "");
            return "There is no option " + shown + "."
                    + meant(Spelling.nearest(
                            option, command.getCommandSpec().optionsMap().keySet()));
        }
        if (commands.isEmpty())
            return shown + " is one argument too many for '"
                    + command.getCommandSpec().qualifiedName() + "'.";
        String meant = meant(Spelling.nearest(word, commands));
        return "There is no command " + shown + "."
                + (meant.isEmpty() ? " There are " + String.join(", ", commands) + "." : meant);
    }

    private static String meant(@Nullable String name) {
        return name == null ? "" : " Did you mean '" + name + "'?";
    }
}
