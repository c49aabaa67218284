/** Clients that nobody here wrote, against a real gateway. */
@NullMarked
package dev.semel.examples.clients;

import org.jspecify.annotations.NullMarked;
