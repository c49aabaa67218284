/** A torture run from its beginning to its verdict. */
@NullMarked
package dev.semel.torture.run;

import org.jspecify.annotations.NullMarked;
