package dev.semel.cli;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.slf4j.LoggerFactory;

/** What libraries say through the platform's own logging goes where everything else goes, and looks like it. */
final class JulToLog extends Handler {
    private final SimpleFormatter words = new SimpleFormatter();

    private JulToLog() {}

    static void install() {
        LogManager.getLogManager().reset();
        Logger.getLogger("").addHandler(new JulToLog());
    }

    @Override
    public void publish(LogRecord record) {
        org.slf4j.Logger log = LoggerFactory.getLogger(String.valueOf(record.getLoggerName()));
        String message = words.formatMessage(record);
        int level = record.getLevel().intValue();
        if (level >= Level.SEVERE.intValue()) log.error(message, record.getThrown());
        else if (level >= Level.WARNING.intValue()) log.warn(message, record.getThrown());
        else if (level >= Level.INFO.intValue()) log.info(message, record.getThrown());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
}
