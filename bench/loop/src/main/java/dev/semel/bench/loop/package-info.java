/** A closed loop of callers around one operation, in this process or controlled by another one. */
@NullMarked
package dev.semel.bench.loop;

import org.jspecify.annotations.NullMarked;
