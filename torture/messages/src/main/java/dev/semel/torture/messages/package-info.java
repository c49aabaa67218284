/** Writers, relays and consumers as processes of their own, a database and a broker that are killed, and what has to hold all the same. */
@NullMarked
package dev.semel.torture.messages;

import org.jspecify.annotations.NullMarked;
