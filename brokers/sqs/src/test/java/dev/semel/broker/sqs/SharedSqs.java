package dev.semel.broker.sqs;

import dev.semel.testkit.elasticmq.ElasticMqServer;
import dev.semel.testkit.messaging.ArrivedMessage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** One server for all tests of this module, and what only the SDK itself can tell of it. */
final class SharedSqs implements BeforeAllCallback, AutoCloseable {
    private static final Map<String, List<Message>> ARRIVED = new HashMap<>();
    private static @Nullable ElasticMqServer server;
    private static @Nullable SqsClient client;

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot().getStore(Namespace.GLOBAL).getOrComputeIfAbsent(SharedSqs.class, key -> this);
    }

    static synchronized ElasticMqServer server() {
        if (server == null)
            server = ElasticMqServer.start(
                    Path.of("target", "elasticmq-" + ProcessHandle.current().pid()));
        return server;
    }

    static synchronized SqsClient client() {
        if (client == null)
            client = SqsClient.builder()
                    .region(Region.EU_CENTRAL_1)
                    .endpointOverride(server().endpoint())
                    .httpClientBuilder(Apache5HttpClient.builder())
                    .build();
        return client;
    }

    static String url() {
        return "sqs://eu-central-1?endpoint=" + server().endpoint();
    }

    static void create(String queue, Map<QueueAttributeName, String> settings) {
        Map<QueueAttributeName, String> all = new HashMap<>(settings);
        if (queue.endsWith(".fifo")) all.put(QueueAttributeName.FIFO_QUEUE, "true");
        client().createQueue(it -> it.queueName(queue).attributes(all));
    }

    static String queueUrl(String queue) {
        return client().getQueueUrl(it -> it.queueName(queue)).queueUrl();
    }

    /** All that has arrived at this queue so far, by its time: groups come in any order. It is taken out, and remembered here. */
    static synchronized List<ArrivedMessage> arrived(String queue, int atLeast) {
        String url = queueUrl(queue);
        List<Message> arrived = ARRIVED.computeIfAbsent(queue, it -> new ArrayList<>());
        while (true) {
            boolean enough = arrived.size() >= atLeast;
            List<Message> messages = client().receiveMessage(it -> it.queueUrl(url)
                            .maxNumberOfMessages(10)
                            .waitTimeSeconds(enough ? 0 : 1)
                            .messageAttributeNames("All")
                            .messageSystemAttributeNames(MessageSystemAttributeName.SENT_TIMESTAMP))
                    .messages();
            if (messages.isEmpty() && enough)
                return arrived.stream()
                        .sorted(Comparator.comparing(
                                it -> it.attributes().get(MessageSystemAttributeName.SENT_TIMESTAMP)))
                        .map(SharedSqs::arrived)
                        .toList();
            for (Message message : messages) {
                arrived.add(message);
                client().deleteMessage(it -> it.queueUrl(url).receiptHandle(message.receiptHandle()));
            }
        }
    }

    /** Read here in other words than the broker's own. */
    private static ArrivedMessage arrived(Message message) {
        Map<String, String> attributes = new TreeMap<>();
        Map<String, String> headers = new TreeMap<>();
        message.messageAttributes().forEach((name, value) -> {
            if (name.startsWith("ce-")) attributes.put(name.substring(3), value.stringValue());
            else headers.put(name, value.stringValue());
        });
        String lines = headers.remove("semel-headers");
        if (lines != null)
            for (String line : lines.split("\n", -1))
                headers.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1));
        String encoding = headers.getOrDefault("semel-encoding", "none");
        byte[] payload = switch (encoding) {
            case "base64" -> Base64.getDecoder().decode(message.body());
            case "empty" -> new byte[0];
            default -> message.body().getBytes(StandardCharsets.UTF_8);
        };
        return new ArrivedMessage(attributes.get("subject"), attributes, headers, payload);
    }

    @Override
    public void close() {
        synchronized (SharedSqs.class) {
            if (client != null) client.close();
            if (server != null) server.close();
            client = null;
            server = null;
        }
    }
}
