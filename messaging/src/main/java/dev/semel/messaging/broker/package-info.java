/** Where messages go: what a broker offers to the relay. */
@NullMarked
package dev.semel.messaging.broker;

import org.jspecify.annotations.NullMarked;
