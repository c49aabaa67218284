/** Whose request it is: one tenant for all, a secret in a header, or a claim of a signed token. */
@NullMarked
package dev.semel.http.tenant;

import org.jspecify.annotations.NullMarked;
