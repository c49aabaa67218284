package dev.semel.examples.shop;

/**
 * An order that was placed.
 *
 * @param message the id of the message that tells of it, by which it is found at every later stage
 */
public record PlacedOrder(long number, String order, long cents, String message) {}
