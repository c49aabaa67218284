/** The processes of a run, and the disk below them. Whatever happens to the run, none is left behind. */
@NullMarked
package dev.semel.torture.system;

import org.jspecify.annotations.NullMarked;
