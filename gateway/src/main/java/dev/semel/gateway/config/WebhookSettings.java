package dev.semel.gateway.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One place where webhooks come in, and where they are delivered.
 *
 * @param path where their sender posts them
 * @param secrets as they stand in the configuration; never shown
 * @param tolerance how old a signature may be; null where it has no time
 * @param deliverTo the path of the upstream
 * @param key a JSON pointer to what stands for their order; null when they have none
 * @param remember for how long ids are kept at least
 */
public record WebhookSettings(
        String path,
        Scheme scheme,
        List<String> secrets,
        @Nullable Duration tolerance,
        String deliverTo,
        @Nullable String key,
        Duration remember) {
    public static final Duration DEFAULT_REMEMBER = Duration.ofDays(30);

    /** How a sender signs. */
    public enum Scheme {
        STANDARD,
        STRIPE,
        GITHUB
    }

    public WebhookSettings {
        secrets = List.copyOf(secrets);
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "webhooks at " + path + ", " + secrets.size() + " secret(s), delivered to " + deliverTo;
    }
}
