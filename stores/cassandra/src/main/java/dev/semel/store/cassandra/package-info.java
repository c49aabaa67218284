/** Key records in Cassandra, shared by any number of processes. */
@NullMarked
package dev.semel.store.cassandra;

import org.jspecify.annotations.NullMarked;
