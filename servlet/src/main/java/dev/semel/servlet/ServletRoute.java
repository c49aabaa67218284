package dev.semel.servlet;

import dev.semel.http.RoutePolicy;

/**
 * How one request is treated.
 *
 * @param name the route as it is published, such as {@code POST /v1/charges}
 * @param operation whose keys the request uses; the same for all requests that are the same operation
 */
public record ServletRoute(String name, String operation, RoutePolicy policy) {}
