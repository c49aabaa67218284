/** A real Cassandra for tests: no Docker, nothing installed, and it may be killed at any moment. */
@NullMarked
package dev.semel.testkit.cassandra;

import org.jspecify.annotations.NullMarked;
