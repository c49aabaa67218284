/** JSON in the one spelling of RFC 8785, so that what says the same has the same bytes. Knows nothing of HTTP. */
@NullMarked
package dev.semel.http.json;

import org.jspecify.annotations.NullMarked;
