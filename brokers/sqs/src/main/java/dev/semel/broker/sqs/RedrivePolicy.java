package dev.semel.broker.sqs;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * What a queue does with messages that nobody handles.
 *
 * @param mostReceptions after so many it moves them elsewhere; 0 when it does not
 */
record RedrivePolicy(int mostReceptions) {
    private static final Pattern MOST = Pattern.compile("\"maxReceiveCount\"\\s*:\\s*\"?(\\d{1,9})");

    static RedrivePolicy of(SqsClient client, String url) {
        Map<QueueAttributeName, String> attributes = client.getQueueAttributes(
                        it -> it.queueUrl(url).attributeNames(QueueAttributeName.REDRIVE_POLICY))
                .attributes();
        Matcher most = MOST.matcher(attributes.getOrDefault(QueueAttributeName.REDRIVE_POLICY, ""));
        return new RedrivePolicy(most.find() ? Integer.parseInt(most.group(1)) : 0);
    }

    boolean isThere() {
        return mostReceptions > 0;
    }

    /** Whether this reception was the last one. */
    boolean isLast(int reception) {
        return isThere() && reception >= mostReceptions;
    }
}
