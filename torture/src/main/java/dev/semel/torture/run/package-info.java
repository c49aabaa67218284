/** A torture run from its beginning to its result. */
@NullMarked
package dev.semel.torture.run;

import org.jspecify.annotations.NullMarked;
