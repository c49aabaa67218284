package dev.semel.testkit.kafka;

import kafka.Kafka;
import kafka.tools.StorageTool;

/** The main class of the child process: makes the storage ready if it is new, then runs the server. */
final class KafkaMain {
    private static final String CLUSTER = "4L6g3nShT-eMCtK--X86sw";

    private KafkaMain() {}

    /** @param arguments the file with the settings of the server */
    public static void main(String[] arguments) {
        String[] format = {"format", "--standalone", "--ignore-formatted", "-t", CLUSTER, "-c", arguments[0]};
        int code = StorageTool.execute(format, System.out);
        if (code != 0) System.exit(code);
        Kafka.main(arguments);
    }
}
