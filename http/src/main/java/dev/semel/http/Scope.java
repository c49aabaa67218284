package dev.semel.http;

/** Where a key lives: whose it is, and what it is for. */
public record Scope(String tenant, String operation) {}
