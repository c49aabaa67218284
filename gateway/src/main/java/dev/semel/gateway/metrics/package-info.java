/** What a gateway counts and times, under names that are documented in {@code docs/metrics.md}. */
@NullMarked
package dev.semel.gateway.metrics;

import org.jspecify.annotations.NullMarked;
