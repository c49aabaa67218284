/** Texts with places that a request fills in. Knows of requests only that they have headers, a body and perhaps a key. */
@NullMarked
package dev.semel.http.template;

import org.jspecify.annotations.NullMarked;
