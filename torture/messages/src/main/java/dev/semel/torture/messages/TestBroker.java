package dev.semel.torture.messages;

import dev.semel.torture.messages.check.Arrival;
import java.util.function.Consumer;

/** The broker, as a run needs it: what differs between brokers. */
interface TestBroker extends AutoCloseable {
    /** Larger than any payload of a writer but for poison, and no larger than a batch. */
    int LIMIT = 256 * 1024;

    /** What the topic does not take before its limit is raised. */
    int POISON = 500 * 1024;

    /** Where messages go. What consumers cannot handle goes to a topic of that name with {@code .dead} behind it. */
    String topic();

    /** For relays, with time-outs that are short. */
    String relayUrl();

    /** For consumers, with time-outs that are short. */
    String consumerUrl();

    /** Makes the topics: one for messages with {@link #LIMIT}, and one for dead letters of consumers. */
    void createTopics() throws Exception;

    /** From now on the topic takes what was poison. */
    void raiseLimit() throws Exception;

    /** Reads everything that arrives, in its order, on a thread of its own, until that is interrupted. */
    Thread read(Consumer<Arrival> arrivals);

    void kill9();

    /** Returns when it takes connections. */
    void restart();

    @Override
    void close();
}
