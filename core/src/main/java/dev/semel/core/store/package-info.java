/** What the engine asks of a store: insert-or-return, compare-and-set, find, list, purge. */
@NullMarked
package dev.semel.core.store;

import org.jspecify.annotations.NullMarked;
