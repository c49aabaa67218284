/** How the engine measures and waits; moved by hand in tests. */
@NullMarked
package dev.semel.core.time;

import org.jspecify.annotations.NullMarked;
