/** A service with the library inside of it: the other door through which the clients of a run come. */
@NullMarked
package dev.semel.torture.library;

import org.jspecify.annotations.NullMarked;
