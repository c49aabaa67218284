/** Operations that are shaped so that they need no key; the guide {@code docs/without-a-key.md} quotes them. */
@NullMarked
package dev.semel.examples.withoutkey;

import org.jspecify.annotations.NullMarked;
