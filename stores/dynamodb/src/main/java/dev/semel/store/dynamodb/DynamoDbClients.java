package dev.semel.store.dynamodb;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.retry.RetryUtils;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** The store's own client, when it is opened by an URL. */
final class DynamoDbClients {
    private static final int MAX_ATTEMPTS = 4;
    private static final BackoffStrategy BACKOFF =
            BackoffStrategy.exponentialDelay(Duration.ofMillis(50), Duration.ofSeconds(1));

    private DynamoDbClients() {}

    static DynamoDbClient open(DynamoDbUrl url) {
        return open(url, DefaultCredentialsProvider.builder().build());
    }

    static DynamoDbClient open(DynamoDbUrl url, AwsCredentialsProvider credentials) {
        DynamoDbOptions options = url.options();
        DynamoDbClientBuilder client = DynamoDbClient.builder()
                .region(Region.of(url.region()))
                .credentialsProvider(marked(credentials))
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(options.connections())
                        .connectionAcquisitionTimeout(options.connectTimeout())
                        .connectionTimeout(options.connectTimeout())
                        .socketTimeout(options.answerTimeout())
                        .tcpKeepAlive(true))
                .overrideConfiguration(
                        override -> override.retryStrategy(onlyRefused()).apiCallTimeout(options.callTimeout()));
        if (url.endpoint() != null) client.endpointOverride(url.endpoint());
        return client.build();
    }

    /**
     * The SDK tries again only what DynamoDB has refused for now. After a lost answer it must not: the first attempt may
     * have been written, and then the second would be told that another was faster.
     */
    private static StandardRetryStrategy onlyRefused() {
        return DefaultRetryStrategy.standardStrategyBuilder()
                .useClientDefaults(false)
                .maxAttempts(MAX_ATTEMPTS)
                .retryOnException(DynamoDbClients::isRefusedForNow)
                .treatAsThrottling(DynamoDbClients::isRefusedForNow)
                .backoffStrategy(BACKOFF)
                .throttlingBackoffStrategy(BACKOFF)
                .build();
    }

    private static boolean isRefusedForNow(Throwable failure) {
        return failure instanceof SdkException it
                && (RetryUtils.isThrottlingException(it) || RetryUtils.isClockSkewException(it));
    }

    /** So that a call for which there were none is known not to have been sent. */
    private static AwsCredentialsProvider marked(AwsCredentialsProvider credentials) {
        return () -> {
            try {
                return credentials.resolveCredentials();
            } catch (SdkException e) {
                throw new NoCredentialsException(e);
            }
        };
    }
}
