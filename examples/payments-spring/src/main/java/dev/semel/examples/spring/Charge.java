package dev.semel.examples.spring;

/** A payment that was made. */
public record Charge(long number, String order, long cents) {}
