/** What a store, or anything else that keeps the contract, is tested with: shared suites, a hand-moved clock, planned faults. */
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;
