/** A closed loop of callers around one operation, in this process or told from another one. */
@NullMarked
package dev.semel.bench.loop;

import org.jspecify.annotations.NullMarked;
