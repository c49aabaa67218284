/**
 * A shop that tells of its orders, and billing that writes an invoice for each: one effect at every stage, also when everything is
 * killed in between.
 */
@NullMarked
package dev.semel.examples.shop;

import org.jspecify.annotations.NullMarked;
