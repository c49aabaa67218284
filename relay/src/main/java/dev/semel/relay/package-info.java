/** A relay as a process of its own: names the brokers, and says how it is doing. A composition root, known to the command line alone. */
@NullMarked
package dev.semel.relay;

import org.jspecify.annotations.NullMarked;
