/** The inside of a relay: its leases, its loop, and what it holds back. For {@link dev.semel.messaging.Relay} alone. */
@NullMarked
package dev.semel.messaging.relay;

import org.jspecify.annotations.NullMarked;
