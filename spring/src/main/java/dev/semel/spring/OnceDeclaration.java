package dev.semel.spring;

import dev.semel.core.claim.ClaimPolicy;

/**
 * What {@link Once} says of one method, with the defaults filled in.
 *
 * @param operation whose keys the method uses; for a controller, its route
 * @param method where it stands, as {@code Class.method}
 * @param ofRequests whether its keys come with requests to a controller
 */
public record OnceDeclaration(String operation, String method, ClaimPolicy policy, boolean ofRequests) {}
