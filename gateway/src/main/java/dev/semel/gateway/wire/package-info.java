/** What the HTTP framework leaves to us at the level of bytes. */
@NullMarked
package dev.semel.gateway.wire;

import org.jspecify.annotations.NullMarked;
