package dev.semel.torture.messages.check;

/**
 * A message at the broker.
 *
 * @param id what the broker carries as its id; empty for none
 * @param body what its payload begins with, up to the second stroke
 */
public record Arrival(String id, String body) {}
