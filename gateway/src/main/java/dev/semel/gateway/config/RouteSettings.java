package dev.semel.gateway.config;

import dev.semel.http.RoutePattern;
import dev.semel.http.RoutePolicy;
import org.jspecify.annotations.Nullable;

/**
 * One route.
 *
 * @param upstream its own upstream; null for the gateway's
 */
public record RouteSettings(
        RoutePattern pattern, RoutePolicy policy, @Nullable UpstreamSettings upstream) {}
