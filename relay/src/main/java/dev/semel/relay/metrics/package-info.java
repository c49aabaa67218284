/** What a relay counts and measures. */
@NullMarked
package dev.semel.relay.metrics;

import org.jspecify.annotations.NullMarked;
