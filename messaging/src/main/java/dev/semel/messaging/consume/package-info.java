/** The receiving side: messages of any broker, handled in a transaction with the inbox. What the consumers of brokers share. */
@NullMarked
package dev.semel.messaging.consume;

import org.jspecify.annotations.NullMarked;
