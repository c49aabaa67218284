package dev.semel.broker.sqs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;

/** The URLs of queues, each looked up once. Safe for use by any thread. */
final class QueueUrls {
    private final SqsClient client;
    private final SqsSettings settings;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    QueueUrls(SqsClient client, SqsSettings settings) {
        this.client = client;
        this.settings = settings;
    }

    /** @throws software.amazon.awssdk.core.exception.SdkException when it cannot be had */
    String of(String queue) {
        String url = known.get(queue);
        if (url != null) return url;
        url = client.getQueueUrl(GetQueueUrlRequest.builder()
                        .queueName(queue)
                        .queueOwnerAWSAccountId(settings.account())
                        .build())
                .queueUrl();
        known.put(queue, url);
        return url;
    }

    /** The queue may have been deleted, and made again. */
    void forget(String queue) {
        known.remove(queue);
    }
}
