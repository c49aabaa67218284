/** Not public. What {@link dev.semel.core.Semel} is made of: the loop of a claim, the words of a holder, renewal, the sweep. */
@NullMarked
package dev.semel.core.engine;

import org.jspecify.annotations.NullMarked;
