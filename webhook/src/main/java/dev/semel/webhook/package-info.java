/** Webhooks as bytes and headers: who signed them, and what makes two of them the same. No server and no database in sight. */
@NullMarked
package dev.semel.webhook;

import org.jspecify.annotations.NullMarked;
