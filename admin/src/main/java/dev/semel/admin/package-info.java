/** For those who run Semel: look a key up, end its doubt, free it. No server in sight. */
@NullMarked
package dev.semel.admin;

import org.jspecify.annotations.NullMarked;
