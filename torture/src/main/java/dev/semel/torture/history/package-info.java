/** What happened in a run, as seen from outside of Semel: by its clients, by the service behind it, and by whoever broke things. */
@NullMarked
package dev.semel.torture.history;

import org.jspecify.annotations.NullMarked;
