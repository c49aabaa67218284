/** What keeping keys takes and costs in each store, reckoned from bytes that were measured. Asks no server anything. */
@NullMarked
package dev.semel.cli.plan;

import org.jspecify.annotations.NullMarked;
