/** Impatient customers on a bad network: what retries do to a payment service, and what Semel does about it. */
@NullMarked
package dev.semel.examples.demo;

import org.jspecify.annotations.NullMarked;
