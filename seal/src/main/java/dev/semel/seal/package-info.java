/** Encryption at rest: a store that seals outcomes and memos before it hands them to the store behind it. */
@NullMarked
package dev.semel.seal;

import org.jspecify.annotations.NullMarked;
