package dev.semel.broker.webhook.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where webhooks go to.
 *
 * @param disabled null when it is enabled
 * @param health how it did lately
 */
public record Endpoint(
        UUID id, Instant createdAt, Plan plan, @Nullable Disabled disabled, Health health) {
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);
    public static final Duration DEFAULT_MAX_AGE = Duration.ofDays(7);

    /**
     * What its owner has chosen.
     *
     * @param tenant it gets the messages whose header {@code tenant} is this; empty: all messages
     * @param inOrder whether messages of one topic and key are delivered one after another
     * @param timeout for one request
     * @param maxAge a delivery is not tried again when it was made, or redriven, longer ago
     */
    public record Plan(
            String tenant, String url, MessageFilter filter, boolean inOrder, Duration timeout, Duration maxAge) {
        private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(60);
        private static final int LONGEST_TENANT = 255;

        public Plan {
            if (timeout.toMillis() < 100 || timeout.compareTo(LONGEST_TIMEOUT) > 0)
                throw new IllegalArgumentException("A time-out is from 0.1 to 60 seconds, not " + timeout + ".");
            if (maxAge.toSeconds() < 60 || maxAge.toDays() > 30)
                throw new IllegalArgumentException("The greatest age is from a minute to 30 days, not " + maxAge + ".");
            if (tenant.length() > LONGEST_TENANT || tenant.chars().anyMatch(it -> it < ' ' || it == 0x7f))
                throw new IllegalArgumentException("A tenant has at most 255 characters, without control characters.");
        }

        public static Plan to(String url) {
            return new Plan("", url, MessageFilter.ALL, false, DEFAULT_TIMEOUT, DEFAULT_MAX_AGE);
        }

        public Plan ofTenant(String tenant) {
            return new Plan(tenant, url, filter, inOrder, timeout, maxAge);
        }

        public Plan at(String url) {
            return new Plan(tenant, url, filter, inOrder, timeout, maxAge);
        }

        public Plan with(MessageFilter filter) {
            return new Plan(tenant, url, filter, inOrder, timeout, maxAge);
        }

        public Plan inOrder(boolean inOrder) {
            return new Plan(tenant, url, filter, inOrder, timeout, maxAge);
        }

        public Plan withTimeout(Duration timeout) {
            return new Plan(tenant, url, filter, inOrder, timeout, maxAge);
        }

        public Plan withMaxAge(Duration maxAge) {
            return new Plan(tenant, url, filter, inOrder, timeout, maxAge);
        }
    }

    /** Nothing is sent; what comes for it waits. */
    public record Disabled(Instant since, String reason) {}

    /**
     * What its circuit breaker goes by.
     *
     * @param failures since the last success
     * @param failingSince when the first of these was
     * @param openUntil nothing is sent before, and then one delivery at a time; null when the breaker is closed
     */
    public record Health(
            int failures,
            @Nullable Instant failingSince,
            @Nullable Instant openUntil) {
        public static final Health GOOD = new Health(0, null, null);
    }

    public boolean isEnabled() {
        return disabled == null;
    }
}
