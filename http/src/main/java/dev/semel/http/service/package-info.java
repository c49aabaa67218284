/**
 * The service API: claim, renew, complete, release and doubt as JSON over HTTP, for callers in any language that run
 * their operations themselves. Protocol only, no server in sight; described by {@code openapi.json}.
 */
@NullMarked
package dev.semel.http.service;

import org.jspecify.annotations.NullMarked;
