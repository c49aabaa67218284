/** Not public. Ends doubts; the door is {@link dev.semel.core.doubt.Doubts}. */
@NullMarked
package dev.semel.core.doubt;

import org.jspecify.annotations.NullMarked;
