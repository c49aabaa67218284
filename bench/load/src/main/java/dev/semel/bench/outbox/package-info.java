/** Outboxes side by side: from the commit of a message to the broker's word that it has it. */
@NullMarked
package dev.semel.bench.outbox;

import org.jspecify.annotations.NullMarked;
