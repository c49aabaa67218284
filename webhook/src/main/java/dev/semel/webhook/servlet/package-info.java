/** Webhooks that are received in a servlet container. */
@NullMarked
package dev.semel.webhook.servlet;

import org.jspecify.annotations.NullMarked;
