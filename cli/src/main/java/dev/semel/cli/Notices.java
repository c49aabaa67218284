package dev.semel.cli;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a command that runs for long says about itself on standard error: in words, or as lines of its log. */
final class Notices {
    private static final Logger LOG = LoggerFactory.getLogger("semel");
    private static volatile boolean json;

    private Notices() {}

    /** When the log is JSON, a reader of it must find nothing else there. */
    static void asJson(boolean asJson) {
        json = asJson;
    }

    static void say(String notice) {
        if (json) LOG.info(notice);
        else System.err.println("semel: " + notice);
    }

    static void warn(String caution) {
        if (json) LOG.warn(caution);
        else System.err.println("semel: warning: " + caution);
    }
}
