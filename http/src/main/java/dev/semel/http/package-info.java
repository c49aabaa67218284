/** What {@code Idempotency-Key} means on the wire: read, fingerprint, guard, record, replay. No server in sight. */
@NullMarked
package dev.semel.http;

import org.jspecify.annotations.NullMarked;
