package dev.semel.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Option;

/** How a running gateway logs, to standard error. */
final class LogOptions {
    private static final String ACCESS = "semel.access";

    @Option(
            names = "--log",
            paramLabel = "FORMAT",
            description = "text, or json for one JSON object a line (default: text)")
    private @Nullable String format;

    @Option(names = "--access-log", description = "log each request: method, route, status, outcome and time")
    private boolean access;

    /** @return whether everything that is said from now on is to be JSON */
    boolean apply(UnaryOperator<@Nullable String> environment) {
        boolean json = isJson(format != null ? format : Settings.variable("SEMEL_LOG", environment));
        JulToLog.install();
        if (json) useJson();
        if (access || isOn(Settings.variable("SEMEL_ACCESS_LOG", environment)))
            logger(ACCESS).setLevel(Level.INFO);
        return json;
    }

    private static boolean isJson(@Nullable String format) {
        return switch (format) {
            case null -> false;
            case "text" -> false;
            case "json" -> true;
            default -> throw new UsageProblem("'" + format + "' is no format of the log. Known are text and json.");
        };
    }

    private static boolean isOn(@Nullable String value) {
        return switch (value) {
            case null -> false;
            case "off", "false" -> false;
            case "on", "true" -> true;
            default -> throw new UsageProblem("SEMEL_ACCESS_LOG is on or off, not '" + value + "'.");
        };
    }

    private static void useJson() {
        Logger root = logger(Logger.ROOT_LOGGER_NAME);
        LoggerContext context = root.getLoggerContext();
        JsonLines lines = new JsonLines();
        lines.setContext(context);
        lines.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("JSON");
        appender.setTarget("System.err");
        appender.setEncoder(lines);
        appender.start();
        root.detachAndStopAllAppenders();
        root.addAppender(appender);
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> root.error("The thread {} ended by a failure", thread.getName(), failure));
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }
}
