/** The engine: claims a key, runs nothing itself, and records what its callers did. */
@NullMarked
package dev.semel.core;

import org.jspecify.annotations.NullMarked;
