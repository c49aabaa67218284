/** Side-by-side benchmarks: a load generator, an upstream, and the run that puts a gateway between the two. */
@NullMarked
package dev.semel.bench;

import org.jspecify.annotations.NullMarked;
