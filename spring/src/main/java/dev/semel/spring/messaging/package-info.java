/** Messages in a Spring application: the outbox in its transactions, a relay, the inbox. */
@NullMarked
package dev.semel.spring.messaging;

import org.jspecify.annotations.NullMarked;
