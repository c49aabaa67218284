package dev.semel.broker.sqs;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.SqsClientBuilder;

/** The client of a broker or consumer. It tries nothing again by itself: whoever called knows better what is to be done. */
final class SqsClients {
    private SqsClients() {}

    /** @param longestAnswer how long SQS may take to answer, which is long when messages are waited for */
    static SqsClient open(SqsSettings settings, Duration longestAnswer) {
        SqsClientBuilder client = SqsClient.builder()
                .region(Region.of(settings.region()))
                .credentialsProvider(DefaultCredentialsProvider.builder().build())
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(settings.connections())
                        .connectionAcquisitionTimeout(settings.callTimeout())
                        .connectionTimeout(settings.callTimeout())
                        .socketTimeout(longestAnswer)
                        .tcpKeepAlive(true))
                .overrideConfiguration(override -> override.retryStrategy(DefaultRetryStrategy.doNotRetry())
                        .apiCallTimeout(longestAnswer));
        if (settings.endpoint() != null) client.endpointOverride(settings.endpoint());
        return client.build();
    }
}
