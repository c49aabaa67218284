/** Dead letters, and what can be asked of them. */
@NullMarked
package dev.semel.messaging.letter;

import org.jspecify.annotations.NullMarked;
