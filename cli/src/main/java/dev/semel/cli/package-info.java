/** The command line. */
@NullMarked
package dev.semel.cli;

import org.jspecify.annotations.NullMarked;
