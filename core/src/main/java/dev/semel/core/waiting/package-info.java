/** Not public. Where duplicates wait; the door is {@link dev.semel.core.waiting.WaitingRooms}. */
@NullMarked
package dev.semel.core.waiting;

import org.jspecify.annotations.NullMarked;
