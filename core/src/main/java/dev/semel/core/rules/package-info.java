/** Not public. Every decision of the life of a key, as pure functions. */
@NullMarked
package dev.semel.core.rules;

import org.jspecify.annotations.NullMarked;
