/** The store for unit tests and first steps: correct, shared by nobody, gone with the process. */
@NullMarked
package dev.semel.core.memory;

import org.jspecify.annotations.NullMarked;
