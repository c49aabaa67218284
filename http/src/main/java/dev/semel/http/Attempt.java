package dev.semel.http;

/**
 * The one attempt that was let through.
 *
 * @param token only grows from attempt to attempt of a key; goes upstream as {@code Semel-Fencing-Token}
 * @param number 1 for the first attempt of a key; goes upstream as {@code Semel-Attempt}
 */
public record Attempt(long token, int number) {}
