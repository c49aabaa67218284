package dev.semel.bench.report;

/** A figure that is no line: measured once, or counted. */
public record Fact(String name, double value, String unit) {}
