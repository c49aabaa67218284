/** Orders become invoices over a bad broker: once with an outbox and an inbox, once without. */
@NullMarked
package dev.semel.examples.demo.messages;

import org.jspecify.annotations.NullMarked;
