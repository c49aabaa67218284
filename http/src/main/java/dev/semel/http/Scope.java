package dev.semel.http;

/**
 * Where a key lives: whose it is, and what it is for.
 *
 * @param route what it came by, in words for people; where a route covers many paths, it is one of all its operations
 */
public record Scope(String tenant, String operation, String route) {}
