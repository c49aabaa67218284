package dev.semel.http;

import java.time.Duration;

/**
 * That writes to a resource, which is a path, keep their order.
 *
 * @param keep how long the last version of a resource is remembered
 */
public record OrderRule(VersionSource version, Duration keep) {
    public static final Duration DEFAULT_KEEP = Duration.ofDays(365);
}
