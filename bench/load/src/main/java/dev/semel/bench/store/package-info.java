/** Benchmarks of the stores, without a gateway around them. */
@NullMarked
package dev.semel.bench.store;

import org.jspecify.annotations.NullMarked;
