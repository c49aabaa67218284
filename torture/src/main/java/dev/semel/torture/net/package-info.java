/** The network between the processes of a run, and what can go wrong in it. */
@NullMarked
package dev.semel.torture.net;

import org.jspecify.annotations.NullMarked;
