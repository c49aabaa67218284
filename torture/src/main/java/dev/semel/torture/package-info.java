/** What nobody should do to a gateway, done many times, with what must hold all the same checked. */
@NullMarked
package dev.semel.torture;

import org.jspecify.annotations.NullMarked;
