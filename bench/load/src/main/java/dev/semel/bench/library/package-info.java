/** Semel as a library beside other Java libraries, each in a JVM of its own, on one PostgreSQL. */
@NullMarked
package dev.semel.bench.library;

import org.jspecify.annotations.NullMarked;
