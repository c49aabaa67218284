package dev.semel.testkit.elasticmq;

import org.elasticmq.rest.sqs.SQSRestServerBuilder;

/** The main class of the child process: ElasticMQ on 127.0.0.1, with the limits of SQS. */
final class ElasticMqMain {
    private ElasticMqMain() {}

    /** @param arguments the port */
    public static void main(String[] arguments) {
        SQSRestServerBuilder.withInterface("127.0.0.1")
                .withPort(Integer.parseInt(arguments[0]))
                .start()
                .waitUntilStarted();
    }
}
