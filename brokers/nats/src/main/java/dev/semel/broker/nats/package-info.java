/** Messages to and from NATS JetStream. */
@NullMarked
package dev.semel.broker.nats;

import org.jspecify.annotations.NullMarked;
