/** What can be told from the text of a key alone: its form, its age, and whether it was chosen badly. Knows no HTTP. */
@NullMarked
package dev.semel.http.key;

import org.jspecify.annotations.NullMarked;
