/** How many bytes a key takes in each store: measured on real servers, for {@code semel plan}. */
@NullMarked
package dev.semel.bench.storage;

import org.jspecify.annotations.NullMarked;
