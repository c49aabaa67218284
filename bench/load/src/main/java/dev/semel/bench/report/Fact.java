package dev.semel.bench.report;

/** A figure that belongs to no scenario: measured once, or counted. */
public record Fact(String name, double value, String unit) {}
