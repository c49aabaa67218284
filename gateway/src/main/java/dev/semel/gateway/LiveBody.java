package dev.semel.gateway;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;

/** A body that is too large to keep: what has come so far, and the paused rest. */
record LiveBody(Buffer soFar, HttpClientResponse rest) {}
