/** A broker in memory, for the unit tests of applications. */
@NullMarked
package dev.semel.messaging.memory;

import org.jspecify.annotations.NullMarked;
