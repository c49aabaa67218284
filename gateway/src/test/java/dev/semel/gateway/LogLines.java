package dev.semel.gateway;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What one logger says while this is open. Others in this process may speak too: look for what is your own. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final Level before;

    private LogLines(Logger logger) {
        this.logger = logger;
        this.before = logger.getLevel();
    }

    public static LogLines of(String name) {
        Logger logger = (Logger) LoggerFactory.getLogger(name);
        LogLines lines = new LogLines(logger);
        lines.setContext(logger.getLoggerContext());
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        events.add(event);
    }

    /** Level, message and what the line is about, of the lines that hold this text. */
    public List<String> with(String part) {
        return events.stream()
                .map(it -> it.getLevel() + " " + it.getFormattedMessage() + " "
                        + (it.getKeyValuePairs() == null ? "" : it.getKeyValuePairs()))
                .filter(line -> line.contains(part))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setLevel(before);
    }
}
