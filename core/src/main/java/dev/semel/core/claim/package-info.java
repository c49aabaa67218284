/** What is said between a caller and the engine: claims and their answers, leases, policies, probes, quotas, events. */
@NullMarked
package dev.semel.core.claim;

import org.jspecify.annotations.NullMarked;
