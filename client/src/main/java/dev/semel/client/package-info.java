/** Sends HTTP requests so that retrying is safe: one key per intent, written down before the first byte leaves. */
@NullMarked
package dev.semel.client;

import org.jspecify.annotations.NullMarked;
