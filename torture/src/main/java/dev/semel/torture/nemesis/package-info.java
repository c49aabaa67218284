/** What goes wrong in a run: each fault by itself, and the schedule by which they come. */
@NullMarked
package dev.semel.torture.nemesis;

import org.jspecify.annotations.NullMarked;
