package dev.semel.http;

import java.time.Duration;

/**
 * That writes to a resource, which is a path, keep their order.
 *
 * @param keep how long the last version of a resource is remembered
 * @param perTenant whether each tenant has an order of its own, for its own resource at the same path; else a resource
 *     is the same for all
 */
public record OrderRule(VersionSource version, Duration keep, boolean perTenant) {
    public static final Duration DEFAULT_KEEP = Duration.ofDays(365);
}
