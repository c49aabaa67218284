package dev.semel.broker.sqs;

import java.util.regex.Pattern;

/** The name of a queue is the topic, unchanged. */
final class QueueName {
    private static final String FIFO = ".fifo";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,80}|[A-Za-z0-9_-]{1,75}\\.fifo");

    private QueueName() {}

    static boolean isName(String topic) {
        return NAME.matcher(topic).matches();
    }

    static boolean isFifo(String name) {
        return name.endsWith(FIFO);
    }
}
