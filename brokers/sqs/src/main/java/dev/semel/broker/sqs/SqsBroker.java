package dev.semel.broker.sqs;

import dev.semel.messaging.broker.Broker;
import dev.semel.messaging.broker.BrokerException;
import dev.semel.messaging.broker.Publisher;
import dev.semel.messaging.broker.ShardLease;
import java.time.Duration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * Sends to SQS. The topic of a message is the name of its queue. A FIFO queue, whose name ends in {@code .fifo}, keeps the order of
 * each key (its group) and drops what comes twice within five minutes; others keep no order.
 *
 * <p>SQS cannot refuse a relay whose shard was leased by another: what such a one still sends may arrive once more, with the same id.
 * An inbox makes it harmless. Safe for use by any thread.
 */
public final class SqsBroker implements Broker {
    private final SqsSettings settings;
    private final SqsClient client;
    private final SqsBatches batches;

    private SqsBroker(SqsSettings settings, SqsMessages messages) {
        this.settings = settings;
        this.client = SqsClients.open(settings, settings.callTimeout());
        this.batches = new SqsBatches(client, settings, messages);
    }

    /**
     * SQS in this region. Nothing is connected yet. Credentials are found as the AWS SDK finds them.
     *
     * @param url {@code sqs://region}; after a question mark {@code account} (whose queues they are), {@code endpoint} (another than the
     *     region's own), {@code call-timeout}, {@code batch-bytes} and {@code connections}
     * @param source which application the messages come from, as a URI reference
     * @throws IllegalArgumentException when the URL is wrong; the message says what
     */
    public static SqsBroker open(String url, String source) {
        SqsMessages messages = new SqsMessages(source);
        return new SqsBroker(SqsUrl.parse(url), messages);
    }

    /** Nothing has to be opened at SQS; that it answers is all that is seen to. */
    @Override
    public Publisher open(ShardLease lease) {
        try {
            client.getQueueUrl(it -> it.queueName("semel-is-it-there"));
        } catch (SdkException e) {
            boolean answered = SqsFailures.isQueueMissing(e) || SqsFailures.isDenied(e);
            if (!answered) throw new BrokerException(settings + ": " + SqsFailures.reason(e), e);
        }
        return new SqsPublisher(settings, batches);
    }

    @Override
    public Duration longestPublish() {
        return settings.longestPublish();
    }

    @Override
    public String name() {
        return settings.toString();
    }

    @Override
    public void close() {
        client.close();
    }
}
